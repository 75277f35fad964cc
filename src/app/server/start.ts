import { isIPv6 } from 'node:net';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import { type Breakpoint, createBreakpoints, parseBreakpoint } from '../../adapters/breakpoints/breakpoints.ts';
import { pausedLine } from '../../adapters/breakpoints/paused-requests.ts';
import {
  type Certificates,
  type CertificateOptions,
  openCertificates,
} from '../../adapters/certificates/open-certificates.ts';
import { servingNames } from '../../adapters/certificates/serving-names.ts';
import type { AuthenticationTrust } from '../../controllers/authentication-trust.ts';
import { type Seed, seedObjects } from '../../controllers/seed-objects.ts';
import { firstSeeds } from '../compose/in-process.ts';
import type { UiApi } from '../../adapters/http/page/page-sources.ts';
import { startObserving } from './observe.ts';
import { runControllers } from '../compose/controllers.ts';
import { type LoadParts, loadPaths } from '../compose/load-paths.ts';
import { authenticationTrust, controllerParts } from './controller-parts.ts';
import { createUiApi, servePage } from './ui-api.ts';
import {
  readApiFaultFlags,
  type ClientFaults,
  createClientFaults,
  injectedLine,
  type InjectedFault,
  unservedResourceLines,
} from './client-faults.ts';
import { type Closing, createClosing } from './closing.ts';
import { wrap } from '../../machinery/middleware.ts';
import { clock, newUid } from './clock.ts';
import { ConfigError } from '../../adapters/config/config-error.ts';
import type { RunningServer, ServerConfig } from '../../adapters/config/server-config.ts';
import { createInstance, type Instance } from './instance.ts';
import { storeOwnService } from './own-service.ts';
import { openStore } from './open-store.ts';
import { readAuthorization } from './authorization.ts';
import type { OwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import { loadOwnPlugins, reportPluginOrder, pluginSettings } from './admission-plugins.ts';
import { readApiSwitches, ineffectiveGatesLines } from './api-switches.ts';
import { followManifests } from './static-manifests.ts';
import { createMetrics } from '../../adapters/telemetry/metrics.ts';
import { createServerApi, type ServerParts } from './api-of-config.ts';
import { readClientCa, trustedCas } from './tls-files.ts';
import { listen } from './listen.ts';
import { openLog } from '../../adapters/telemetry/log.ts';
import { createTracing } from './record-traces.ts';
import type { TraceLog } from '../../adapters/traces/trace-log.ts';
import { createMappings } from '../../adapters/webhook-client/mappings.ts';
import { createWebhookClient } from '../../adapters/webhook-client/webhook-client.ts';
import { type ClusterState, createClusterStateOver, createClusterState } from '../compose/cluster-state.ts';
import type { ApiServer } from '../compose/create-api.ts';
import { createOrders, maxMs, type TrialParts, createTrialOpener } from './try-orders.ts';

/** For servers in a program of the user. */
export interface ServerExtras {
  /** Wraps the network calls. */
  readonly callThrough?: (network: CallWebhook) => CallWebhook;
  /** Replaces the faults of the flags. */
  readonly clientFaults?: ClientFaults;
  /** In addition to those of the flags. */
  readonly ownPlugins?: readonly OwnPlugin[];
}

export interface Apiserver extends RunningServer {
  readonly instance: Instance;
  readonly traces: TraceLog;
}

/** Rejects with ConfigError or StartFailure. */
export async function startApiserver(config: ServerConfig, extras: ServerExtras = {}): Promise<Apiserver> {
  const closing = createClosing();
  // Keeps the process alive until it listens: sleeping controllers do not.
  const holding = setInterval(() => {}, maxTimerMs);
  try {
    const started = await start(config, extras, closing);
    return { ...started, close: closing.close };
  } catch (error) {
    await closing.close();
    throw error;
  } finally {
    clearInterval(holding);
  }
}

const maxTimerMs = 2 ** 31 - 1;

async function start(config: ServerConfig, extras: ServerExtras, closing: Closing): Promise<Omit<Apiserver, 'close'>> {
  const switches = await readApiSwitches(config);
  const { settings: configured, manifests } = pluginSettings(config, switches.features);
  const ownPlugins = [...(await loadOwnPlugins(config.plugin)), ...(extras.ownPlugins ?? [])];
  const settings = { ...configured, ownPlugins };
  const breakPoints = readBreakPoints(config.breakOn);
  const apiFaults = readApiFaultFlags(config);
  const wishes = { directory: config.certDir, names: servingNames(config), admin: adminOptions(config) };
  const certificates = await openCertificates(wishes);
  const log = await openLog({ format: config.loggingFormat, verbosity: config.v });
  const metrics = createMetrics(clock.now);
  const { registry } = metrics;
  await followManifests(settings.staticFolders, { manifests, log, now: clock.now, registry }, closing);
  const traces = createTracing(config, log.error);
  closing.add(traces.flush);
  const observing = await startObserving(config, { release: switches.release, clock, log, metrics });
  closing.add(observing.close);
  const breaks = createBreakpoints({ now: clock.now, onHeld: (held) => log.error(pausedLine(held)) });
  let address = '';
  const cas = readClientCas(config, certificates);
  const trust = authenticationTrust(config, cas, clock);
  const serving = { certificates, trust, traces, observing, log, breaks, address: () => address, settings, switches };
  const { instance, uiApi } = await openInstance(config, { ...serving, ...extras }, closing);
  const logInjected = (injected: InjectedFault): void => log.error(injectedLine(injected));
  const faults = extras.clientFaults ?? createClientFaults(apiFaults, config.apiFaultSeed, logInjected);
  const handle = wrap(instance.handle, [faults.around(clock), observing.aroundHandle]);
  const listener = await listen(config, { ...switches, ...serving, clientCas: cas, handle });
  closing.add(listener.close);
  for (const line of unservedResourceLines(apiFaults, instance.api().clusterState.catalogue)) log.error(line);
  for (const line of ineffectiveGatesLines(switches.features)) log.error(line);
  // After the first manifests: a request held earlier could not be continued.
  breaks.switchOn(breakPoints);
  address = `${bracketIpv6(config.bindAddress)}:${listener.port}`;
  await storeOwnService(instance.api().clusterState.storage, config, listener.port);
  log.info(0, 'serving', { url: `https://${address}` });
  closing.add(() => log.info(0, 'stopping'));
  const { uiUrl, uiProblem, ...page } = await servePage(config, traces, { breaks, uiApi });
  closing.add(page.close);
  closing.add(breaks.close);
  return {
    url: `https://${address}`,
    uiUrl,
    uiProblem,
    ownPlugins: reportPluginOrder(config, ownPlugins, log),
    port: listener.port,
    caPem: trustedCas(config, certificates),
    admin: { type: 'certificate', ...certificates.admin },
    instance,
    traces: traces.log,
  };
}

const readClientCas = ({ clientCaFile }: ServerConfig, { authority }: Certificates): readonly string[] => [
  authority.certificate,
  ...(clientCaFile === '' ? [] : [readClientCa(clientCaFile)]),
];

/** The user of the kubeconfig. */
const adminOptions = ({ writeKubeconfig }: ServerConfig): CertificateOptions['admin'] => ({
  commonName: 'kubernetes-admin',
  organizations: ['system:masters'],
  keyType: writeKubeconfig === '' ? 'ec' : 'rsa',
});

type OpeningParts = Omit<ServerParts, 'call' | 'probe' | 'mappings' | 'clusterState'> &
  ServerExtras & { readonly trust: AuthenticationTrust };

/** With its first objects, running controllers and loaded manifests. */
async function openInstance(
  config: ServerConfig,
  { callThrough = (network) => network, ...parts }: OpeningParts,
  closing: Closing,
): Promise<{ readonly instance: Instance; readonly uiApi: UiApi }> {
  const call: CallWebhook = callThrough((webhookCall) => webhooks.call(webhookCall));
  const probe: ServerParts['probe'] = (clientConfig) => webhooks.probe(clientConfig);
  const mappings = createMappings(config.map);
  const own = { call, probe, mappings };
  const { release } = parts.switches;
  const authorization = readAuthorization(config);
  const store = await openStore(config, { release, logError: parts.log.error }, closing);
  const first = store
    ? createClusterStateOver({ release, ...store }, authorization, parts.switches.isServed)
    : createClusterState(release, authorization, parts.switches.isServed);
  const openApi = (clusterState: ClusterState, more: Partial<ServerParts> = {}): ApiServer =>
    createServerApi(config, { ...parts, ...own, ...more, clusterState });
  const instance = createInstance(first, {
    openApi,
    startControllers: (api) => runControllers(config.controllers, controllerParts(api, config, parts)),
  });
  const webhooks = createWebhookClient({
    cluster: instance.cluster,
    mappings,
    trustMapped: config.injectCa,
    kubeconfigs: { mutating: parts.settings.mutatingWebhooks, validating: parts.settings.validatingWebhooks },
  });
  closing.add(webhooks.close);
  closing.add(instance.close);
  const api = instance.api();
  if (store) await api.serveStored();
  const isFresh = api.clusterState.cluster.list(namespaces).length === 0;
  await seed(api, firstSeeds(api.clusterState, clock.now(), config.serviceClusterIpRange));
  const controllers = await instance.startControllers();
  // A fresh server is ready when the controllers have processed its first objects.
  if (isFresh) await controllers.idle();
  await loadPaths(config.load, loadParts(instance.api(), config, parts), controllers);
  const uiApi = openUiApi(config, { ...parts, ...own, instance, openApi });
  return { instance, uiApi };
}

type UiApiSources = OpeningParts &
  Pick<ServerParts, 'probe' | 'mappings'> &
  Pick<TrialParts, 'openApi'> & { readonly instance: Instance };

/** Uses the current API server: a reset replaces it. */
const openUiApi = ({ assume }: ServerConfig, { instance, traces, ...parts }: UiApiSources): UiApi =>
  createUiApi({
    ...parts,
    preview: (question) => instance.api().preview(question),
    catalogue: () => instance.api().clusterState.catalogue,
    cluster: { list: (kind) => instance.api().clusterState.cluster.list(kind) },
    assumptions: assume,
    orders: createOrders({
      traceOf: traces.log.get,
      openTrial: createTrialOpener({ ...parts, clusterState: () => instance.api().clusterState }),
      expiry: () => AbortSignal.timeout(maxMs),
    }),
  });

const loadParts = (api: ApiServer, config: ServerConfig, parts: OpeningParts): LoadParts => ({
  ...controllerParts(api, config, parts),
  report: (line) => parts.log.error(`--load ${line}`),
});

const namespaces = { group: '', resource: 'namespaces' };

function readBreakPoints(texts: readonly string[]): readonly Breakpoint[] {
  return texts.flatMap((text) => {
    const reading = parseBreakpoint(text);
    if (reading.outcome === 'wrong') throw new ConfigError(`--break-on ${JSON.stringify(text)} ${reading.problem}`);
    return reading.points;
  });
}

const bracketIpv6 = (address: string): string => (isIPv6(address) ? `[${address}]` : address);

/** Roles too, also without RBAC: clients can read them. */
const seed = ({ clusterState }: ApiServer, seeds: readonly Seed[]): Promise<void> =>
  seedObjects(clusterState.storage, seeds, { newUid, now: clock.now(), known: clusterState.cluster });
