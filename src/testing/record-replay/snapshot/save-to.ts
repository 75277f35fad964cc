import { errorText } from '../../../machinery/error-text.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import { readKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { fetchAll } from './fetch-all.ts';
import type { Chosen } from './fetch-all.ts';
import { writeSnapshot } from './write-snapshot.ts';

/** Writes what is chosen of a server into a file; resolves with how many objects it holds. Rejects with ConfigError when that fails. */
export async function saveTo(
  file: string,
  { kubeconfig, ...chosen }: Chosen & { readonly kubeconfig: string },
): Promise<number> {
  const access = await readKubeconfig(kubeconfig);
  const header = {
    kadmitSnapshot: 1,
    takenAt: new Date().toISOString(),
    server: access.url,
    secrets: chosen.secrets || chosen.kinds.includes('secrets'),
  } as const;
  try {
    return await writeSnapshot(file, header, fetchAll(access, chosen));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError(`${file} cannot be written: ${errorText(error)}`);
  }
}
