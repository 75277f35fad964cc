import { errorText } from '../apimachinery/error-text.ts';
import { ConfigError } from '../config/config-error.ts';
import type { ServerConfig } from '../config/server-config.ts';
import { openCachedStore } from '../store/cached-store.ts';
import type { CachedStore } from '../store/cached-store.ts';
import { clock } from './clock.ts';
import type { Closing } from './closing.ts';

/**
 * The store that outlives this process, if the flags ask for one; undefined: memory. Throws ConfigError for one that cannot be
 * used.
 */
export async function openStore(
  { dataDir, dataSync }: ServerConfig,
  logError: (line: string) => void,
  closing: Closing,
): Promise<CachedStore | undefined> {
  if (dataDir === '') return undefined;
  const { DataDirError, openDataDir } = await import('../engines/data-dir/open-data-dir.ts');
  try {
    const { storage, close } = await openDataDir(dataDir, { sync: dataSync });
    closing.add(close);
    const store = await openCachedStore(storage, {
      clock,
      onLost: (error) => logError(`--data-dir ${errorText(error)}`),
    });
    closing.add(store.close);
    return store;
  } catch (error) {
    if (error instanceof DataDirError) throw new ConfigError(`--data-dir ${error.message}`);
    throw error;
  }
}
