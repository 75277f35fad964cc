import { errorText } from '../../machinery/errors.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { readFlagFile } from '../../adapters/config/read-files.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import type { Release } from '../../api/release/release.ts';
import { type CachedStore, openCachedStore } from '../../apiserver/storage/cached-store.ts';
import { type Storage, StorageUnavailable } from '../../apiserver/storage/storage.ts';
import { clock } from './clock.ts';
import type { Closing } from './closing.ts';

interface StorePorts {
  readonly release: Pick<Release, 'createCatalogue'>;
  readonly logError: (line: string) => void;
}

interface Opened {
  readonly storage: Storage;
  readonly close: () => unknown;
}

/** The persistent store of the flags; undefined: memory. Rejects with ConfigError for an unusable one. */
export async function openStore(
  config: ServerConfig,
  ports: StorePorts,
  closing: Closing,
): Promise<CachedStore | undefined> {
  const { logError } = ports;
  const { dataDir, etcdServers } = config;
  if (dataDir !== '')
    return openCached(await openDataDirStorage(config), (line) => logError(`--data-dir ${line}`), closing);
  if (etcdServers.length === 0) return undefined;
  const flag = `--etcd-servers ${etcdServers.join(',')}`;
  try {
    return await openCached(await openEtcdStorage(config, ports), (line) => logError(`${flag} ${line}`), closing);
  } catch (error) {
    if (error instanceof StorageUnavailable) throw new ConfigError(`${flag}: ${error.message}`);
    throw error;
  }
}

async function openCached(
  { storage, close }: Opened,
  logError: StorePorts['logError'],
  closing: Closing,
): Promise<CachedStore> {
  closing.add(async () => void (await close()));
  const store = await openCachedStore(storage, { clock, onLost: (error) => logError(errorText(error)) });
  closing.add(store.close);
  return store;
}

async function openDataDirStorage({ dataDir, dataSync }: ServerConfig): Promise<Opened> {
  const { DataDirError, openDataDir } = await import('../../adapters/storage/data-dir/open-data-dir.ts');
  try {
    return await openDataDir(dataDir, { sync: dataSync });
  } catch (error) {
    if (error instanceof DataDirError) throw new ConfigError(`--data-dir ${error.message}`);
    throw error;
  }
}

async function openEtcdStorage(config: ServerConfig, { release, logError }: StorePorts): Promise<Opened> {
  const { openEtcd } = await import('../../adapters/storage/etcd/open-etcd.ts');
  return openEtcd({
    servers: config.etcdServers,
    prefix: config.etcdPrefix,
    ca: readPem('--etcd-cafile', config.etcdCafile),
    certificate: readPem('--etcd-certfile', config.etcdCertfile),
    key: readPem('--etcd-keyfile', config.etcdKeyfile),
    builtIn: release
      .createCatalogue(() => true)
      .all()
      .map(({ storage }) => storage),
    eventTtl: config.eventTtl,
    clock,
    onUnreadable: (path, error) => logError(`${path} in etcd is left out: ${errorText(error)}`),
    onLost: (error) => logError(`the watch of etcd ended and is opened again: ${errorText(error)}`),
  });
}

const readPem = (flag: string, path: string): Buffer | undefined =>
  path === '' ? undefined : Buffer.from(readFlagFile(flag, path));
