import { setImmediate } from 'node:timers/promises';
import type { PluginSettings } from '../../apiserver/admission/plugins/plugin-settings.ts';
import { wrap } from '../../machinery/middleware.ts';
import { withAssumedResponses } from '../../apiserver/admission/webhooks/assumption.ts';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import type { Breakpoints } from '../../adapters/breakpoints/breakpoints.ts';
import type { Certificates } from '../../adapters/certificates/open-certificates.ts';
import { enabledControllers } from '../../controllers/enabled-controllers.ts';
import { noNodeWarningFor, missingControllerWarning } from '../../controllers/warnings.ts';
import { bodyFormats, readYamlBody } from '../../adapters/http/body-formats.ts';
import { serveBreakpoints } from '../../adapters/http/breakpoints.ts';
import { nodeDocuments } from '../in-process/node-platform.ts';
import { createDocuments } from '../../adapters/http/documents.ts';
import type { Observing } from './observe.ts';
import type { ApiSwitches } from './api-switches.ts';
import { clock, newUid } from './clock.ts';
import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { serveBackends } from './serve-backends.ts';
import { serveChain } from './serve-chain.ts';
import { serveMap } from './serve-map.ts';
import { serveUsers } from './serve-users.ts';
import { trustedCas } from './tls-files.ts';
import type { Log } from '../../adapters/telemetry/log.ts';
import type { Mappings } from '../../adapters/webhook-client/mappings.ts';
import type { WebhookClient } from '../../adapters/webhook-client/webhook-client.ts';
import type { ApiResponse } from '../../apiserver/request/api-request.ts';
import { readIdentities } from './identities.ts';
import { pluginFlags } from './admission-plugins.ts';
import type { Tracing } from './record-traces.ts';
import { type ApiServer, type ApiServerPorts, createApiServer } from '../compose/create-api.ts';
import { signatureFault } from '../compose/request-signature.ts';
import { yieldIfLong } from '../../adapters/http/yield-if-long.ts';
import type { ClusterState } from '../compose/cluster-state.ts';

export interface ServerParts {
  readonly clusterState: ClusterState;
  readonly certificates: Certificates;
  readonly traces: Tracing;
  readonly observing: Observing;
  readonly breaks: Breakpoints;
  readonly log: Log;
  readonly call: CallWebhook;
  readonly probe: WebhookClient['probe'];
  readonly mappings: Mappings;
  readonly address: () => string;
  readonly settings: PluginSettings;
  readonly switches: ApiSwitches;
  /** For trials: the mutating webhooks and policies to call, in order. */
  readonly mutatingOrder?: ApiServerPorts['mutatingOrder'];
}

/** Throws ConfigError for an unreadable token file. */
export function createServerApi(config: ServerConfig, parts: ServerParts): ApiServer {
  const { clusterState, certificates, observing, breaks, log, call, address } = parts;
  const identities = readIdentities(config, certificates.serviceAccountKey);
  const serveOwn = serveOwnPaths(config, { ...parts, preview: (question) => api.preview(question) });
  const documents = createDocuments({
    catalogue: clusterState.catalogue,
    platform: nodeDocuments,
    issuer: { issuer: identities.issuers[0], keySet: identities.keySet },
    serverAddress: address,
    now: clock.now,
  });
  const api = createApiServer(clusterState, {
    clock,
    ...eventLoop,
    newUid,
    random: Math.random,
    callWebhook: wrap(call, [breaks.around, withAssumedResponses(config.assume), observing.aroundCall]),
    parseYaml: readYamlBody,
    loadCrd: () => import('../../api/crd/engine.ts'),
    loadCel: () => import('../../cel/index.ts'),
    bodies: bodyFormats(clusterState.release),
    plugins: pluginFlags(config),
    settings: parts.settings,
    allowPrivileged: config.allowPrivileged,
    coverage: config.coverage,
    policySeed: config.policySeed,
    mutatingOrder: parts.mutatingOrder,
    identities,
    signatureFault,
    serveDocument: async (request, user) => serveOwn(request, user) ?? documents(request),
    serviceClusterIpRange: config.serviceClusterIpRange,
    minWatchMs: config.minRequestTimeout * 1000,
    maxRequestMs: config.requestTimeout,
    ...controllerWarnings(config, clusterState),
    observers: {
      authenticated: observing.authenticated,
      finished: (finished) => {
        parts.traces.record(finished);
        observing.finished(finished);
      },
      watchEnded: observing.watchEnded,
      onBug: ({ method, path }, error) =>
        log.error(`${method} ${path}: ${error instanceof Error ? error.stack : String(error)}`),
    },
  });
  return api;
}

type ServeOwn = (
  ...exchange: Parameters<ApiServerPorts['serveDocument']>
) => Promise<ApiResponse | undefined> | ApiResponse | undefined;

/** Traces, metrics and what else only kadmit has, most of it below /kadmit/v1. */
function serveOwnPaths(config: ServerConfig, parts: ServerParts & Pick<ApiServer, 'preview'>): ServeOwn {
  const { clusterState, certificates, traces, observing } = parts;
  const ports = { probe: parts.probe, assumptions: config.assume, catalogue: () => clusterState.catalogue };
  const serveHeld = serveBreakpoints(parts.breaks);
  const chain = serveChain({ preview: parts.preview, ...ports });
  const mapped = serveMap(parts.mappings);
  const users = serveUsers({ authority: certificates.authority, caPem: trustedCas(config, certificates) });
  const backends = serveBackends(clusterState.cluster, ports);
  return (request, user) =>
    traces.serve(request) ??
    observing.serve(request) ??
    serveHeld(request, user) ??
    chain(request) ??
    mapped(request) ??
    users(request) ??
    backends(request);
}

const eventLoop = { yieldIfLong, nextIteration: (): Promise<void> => setImmediate() };

/** About what kadmit lacks; a server without controllers gives none. */
function controllerWarnings(
  { controllers }: ServerConfig,
  { cluster }: ClusterState,
): Pick<ApiServerPorts, 'storedOnly' | 'pendingWarning'> {
  const running = runningControllers(controllers);
  return running.size === 0
    ? {}
    : { storedOnly: missingControllerWarning(running), pendingWarning: noNodeWarningFor(cluster) };
}

/** Starting the controllers reports unknown names. */
function runningControllers(selected: readonly string[]): ReadonlySet<string> {
  const enabled = enabledControllers(selected);
  return enabled.outcome === 'enabled' ? enabled.names : new Set();
}
