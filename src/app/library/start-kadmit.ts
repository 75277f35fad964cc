import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../adapters/config/config-error.ts';
import { kubeconfigText, writeKubeconfig } from '../../adapters/config/kubeconfig/write-kubeconfig.ts';
import type { RunningServer, ServerConfig } from '../../adapters/config/server-config.ts';
import { startProblem } from '../../adapters/config/start-problem.ts';
import type { OwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import type { ApiFault } from '../../testing/stubs/api-fault.ts';
import { createStubCaller } from '../../testing/stubs/stub-caller.ts';
import { realTime } from '../in-process/time.ts';
import { type Apiserver, startApiserver } from '../server/start.ts';
import { type KadmitFaults, createKadmitFaults } from './api-faults.ts';
import { type Cluster } from './cluster.ts';
import { createCluster } from './create-cluster.ts';
import {
  type ClusterOptions,
  type Contents,
  type OptionFlags,
  clusterFlags,
  readClusterOptions,
  readContents,
  readPlugins,
} from './options.ts';
import { type WebhookRegistry, createWebhookRegistry } from './webhook-registry.ts';
import { serverSession } from '../server/instance.ts';

export interface KadmitOptions extends ClusterOptions {
  /** Default 0: a free one. */
  readonly port?: number;
  readonly bindAddress?: string;
  readonly serviceClusterIpRange?: string;
  /** Folder of the CA, certificates and kubeconfig; default: a temporary folder, removed at the end. */
  readonly certDir?: string;
  /** Number of write traces to keep; default: 2,000. */
  readonly keepTraces?: number;
  /** Folder for the traces of all requests. */
  readonly traceDir?: string;
  readonly anonymousAuth?: boolean;
  /** Bearer tokens, a csv file. */
  readonly tokenAuthFile?: string;
  /** Port of the page; default -1: no page. */
  readonly uiPort?: number;
  /** Faults of the API for its clients, except the `client` of this process. */
  readonly apiFaults?: readonly ApiFault[];
  /** Seed of faults with a probability; default 1. */
  readonly seed?: number;
}

export interface Kadmit extends Cluster, Pick<RunningServer, 'url' | 'port' | 'caPem' | 'uiUrl'> {
  /** The kubeconfig of kubernetes-admin: its text and its file. */
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
  readonly apiFaults: KadmitFaults;
}

const flags = {
  ...clusterFlags,
  port: 'securePort',
  bindAddress: 'bindAddress',
  serviceClusterIpRange: 'serviceClusterIpRange',
  certDir: 'certDir',
  keepTraces: 'keepTraces',
  traceDir: 'traceDir',
  anonymousAuth: 'anonymousAuth',
  tokenAuthFile: 'tokenAuthFile',
  uiPort: 'uiPort',
  apiFaults: 'none',
  seed: 'none',
} as const satisfies OptionFlags;

/** Starts a server in this process, for any client. Rejects with ConfigError for invalid options and for refused manifests. */
export const startKadmit = async (options: KadmitOptions = {}): Promise<Kadmit> =>
  (await startWithStubs(options)).kadmit;

interface WithStubs {
  readonly kadmit: Kadmit;
  readonly stubs: Pick<WebhookRegistry, 'add'>;
}

/** As startKadmit, with the registry of the stubs. */
export async function startWithStubs(options: KadmitOptions): Promise<WithStubs> {
  const { seed = 1, apiFaults = [], ...own } = options;
  const contents = readContents('startKadmit', options);
  const config = readClusterOptions('startKadmit', { port: 0, uiPort: -1, ...own }, flags);
  if (!Number.isSafeInteger(seed)) throw new ConfigError('startKadmit: seed must be an integer');
  const ownPlugins = readPlugins('startKadmit', own);
  const faults = createKadmitFaults(apiFaults, seed);
  const folder = own.certDir === undefined ? makeTemporaryFolder() : { path: own.certDir, remove: () => {} };
  try {
    return await start({
      config: { ...config, certDir: folder.path },
      contents,
      seed,
      faults,
      ownPlugins,
      removeFolder: folder.remove,
    });
  } catch (error) {
    folder.remove();
    const problem = startProblem(error, config);
    throw problem === undefined ? error : new ConfigError(`startKadmit: ${problem}`, { cause: error });
  }
}

interface Beginning {
  readonly config: ServerConfig;
  readonly contents: Contents;
  readonly seed: number;
  readonly faults: ReturnType<typeof createKadmitFaults>;
  readonly ownPlugins: readonly OwnPlugin[];
  readonly removeFolder: () => void;
}

async function start({ config, contents, seed, faults, ownPlugins, removeFolder }: Beginning): Promise<WithStubs> {
  const registry = createWebhookRegistry(seed);
  const { clock, hold } = realTime;
  const server = await startApiserver(config, {
    clientFaults: faults.server,
    ownPlugins,
    callThrough: (network) =>
      createStubCaller({ stubRegistry: registry, clock, hold, callProcess: network, otherwise: network }),
  });
  const session = serverSession(server);
  const { cluster, begin } = createCluster({
    world: session,
    registry,
    stored: () => server.instance.cluster,
    log: server.traces,
    time: realTime,
  });
  const kubeconfigPath = join(config.certDir, 'kubeconfig');
  const close = async (): Promise<void> => {
    await session.close();
    removeFolder();
  };
  try {
    writeKubeconfig(kubeconfigPath, server);
    await begin(contents);
  } catch (error) {
    await close();
    throw error;
  }
  server.instance.keep();
  cluster.traces.clear();
  const kadmit: Kadmit = {
    ...cluster,
    ...serverAddress(server),
    kubeconfig: kubeconfigText(server),
    kubeconfigPath,
    apiFaults: faults.faults,
    reset: async () => {
      registry.clear();
      faults.reset();
      await server.instance.reset();
      cluster.traces.clear();
    },
    close,
  };
  return { kadmit, stubs: registry };
}

const serverAddress = ({ url, port, caPem, uiUrl }: Apiserver): Pick<Kadmit, 'url' | 'port' | 'caPem' | 'uiUrl'> => ({
  url,
  port,
  caPem,
  uiUrl,
});

/** Removed at the latest with the process: it contains keys. */
interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

const folders = new Set<string>();

const remove = (path: string): void => {
  rmSync(path, { recursive: true, force: true });
  folders.delete(path);
  if (folders.size === 0) process.off('exit', removeAll);
};

const removeAll = (): void => folders.forEach(remove);

/** Readable for the owner only. */
function makeTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'kadmit-'));
  if (folders.size === 0) process.on('exit', removeAll);
  folders.add(path);
  return { path, remove: () => remove(path) };
}
