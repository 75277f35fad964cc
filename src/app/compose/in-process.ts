import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { bodyFormats, readYamlBody } from '../../adapters/http/body-formats.ts';
import { createDocuments } from '../../adapters/http/documents.ts';
import { loadRelease } from '../../api/release/load-release.ts';
import { firstHost } from '../../api/strategy/cluster-ips.ts';
import type { OwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import { defaultSettings } from '../../apiserver/admission/plugins/plugin-settings.ts';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import { bootstrapRbac } from '../../apiserver/auth/bootstrap-rbac.ts';
import type { Observers } from '../../apiserver/request/handle.ts';
import { apiServiceSeeds } from '../../controllers/api-service.ts';
import { flowSeeds } from '../../controllers/flow-control/bootstrap.ts';
import {
  clusterSeeds,
  kubernetesService,
  rbacSeeds,
  type Seed,
  seedObjects,
  serviceAddressSeeds,
} from '../../controllers/seed-objects.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { type ControllerParts, runControllers, type RunningControllers } from './controllers.ts';
import { type ApiServer, type ApiServerPorts, createApiServer } from './create-api.ts';
import { type ClusterState, createClusterState, type ForkableClusterState } from './cluster-state.ts';
import { worldIdentities, worldRootCa } from './identity.ts';
import type { WorldPlatform } from './platform.ts';

export type InProcessConfig = Pick<ServerConfig, 'controllers' | 'enableAdmissionPlugins' | 'disableAdmissionPlugins'> &
  Pick<ApiServerPorts, 'coverage' | 'policySeed' | 'mutatingOrder'> & {
    readonly authorizationMode: string | readonly string[];
    /** Default 0. */
    readonly nodes?: number;
    /** `1.33`; default: `followedVersion`. */
    readonly kubernetesVersion?: string | undefined;
    readonly ownPlugins?: readonly OwnPlugin[] | undefined;
  };

export interface InProcessPorts extends Pick<ControllerParts, 'clock' | 'newUid' | 'random' | 'onBug'> {
  /** Stops a virtual clock during real I/O. */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
  readonly callWebhook: CallWebhook;
  readonly platform: WorldPlatform;
  readonly finished: Observers['finished'];
}

export interface InProcess extends ApiServer {
  readonly controllers: RunningControllers;
}

const serviceClusterIpRange = '10.0.0.0/24';

/** The objects of a fresh server after the controllers have processed them. */
export async function makeBase(config: InProcessConfig, ports: InProcessPorts): Promise<ForkableClusterState> {
  const release = await loadRelease(config.kubernetesVersion ?? '');
  const clusterState = createClusterState(release, { authorizationMode: config.authorizationMode });
  const now = ports.clock.now();
  const seeds = [...firstSeeds(clusterState, now, serviceClusterIpRange), kubernetesService('10.0.0.1', 6443)];
  await seedObjects(clusterState.storage, seeds, { newUid: ports.newUid, now });
  const { controllers } = await runInProcess(clusterState, config, ports);
  await controllers.idle();
  await controllers.close();
  return clusterState;
}

export async function runInProcess(
  clusterState: ClusterState,
  config: InProcessConfig,
  ports: InProcessPorts,
): Promise<InProcess> {
  const api = createApiServer(clusterState, apiPorts(clusterState, config, ports));
  await api.ready();
  const { clock, newUid, random, onBug } = ports;
  const controllers = await runControllers(config.controllers, {
    api,
    clock,
    newUid,
    random,
    onBug,
    rootCa: worldRootCa,
    nodes: config.nodes ?? 0,
  });
  return { ...api, controllers };
}

function apiPorts(
  { release, catalogue }: ClusterState,
  config: InProcessConfig,
  ports: InProcessPorts,
): ApiServerPorts {
  const { clock, newUid, random, callWebhook, platform, hold, finished, onBug } = ports;
  const { nextIteration, signatureFault, signToken, documents } = platform;
  const sources = { catalogue, serverAddress: () => 'kubernetes.default.svc', now: clock.now, platform: documents };
  const bodies = bodyFormats(release);
  const serveDocument = createDocuments(sources);
  return {
    clock,
    // No yielding: every run is the same.
    yieldIfLong: () => alreadyDone,
    nextIteration: () => hold(nextIteration()),
    signatureFault,
    newUid,
    random,
    callWebhook,
    parseYaml: (text) => hold(readYamlBody(text)),
    loadCrd: () => hold(import('../../api/crd/engine.ts')),
    loadCel: () => hold(import('../../cel/index.ts')),
    bodies: {
      yamlToJson: (text) => hold(bodies.yamlToJson(text)),
      readProtobuf: (body) => hold(bodies.readProtobuf(body)),
    },
    plugins: { enable: config.enableAdmissionPlugins, disable: config.disableAdmissionPlugins },
    settings: config.ownPlugins ? { ...defaultSettings, ownPlugins: config.ownPlugins } : defaultSettings,
    allowPrivileged: true,
    coverage: config.coverage,
    policySeed: config.policySeed,
    mutatingOrder: config.mutatingOrder,
    identities: worldIdentities((text) => hold(signToken(text))),
    serveDocument: (request) => hold(serveDocument(request)),
    serviceClusterIpRange,
    observers: {
      finished,
      onBug: ({ method, path }, error) => onBug(new Error(`${method} ${path}`, { cause: error })),
    },
  };
}

/** The first objects of a fresh server; `now` in ms since 1970, `range` of Service IPs. */
export const firstSeeds = (
  { release, catalogue }: Pick<ClusterState, 'release' | 'catalogue'>,
  now: number,
  range: string,
): readonly Seed[] => [
  ...clusterSeeds,
  ...rbacSeeds(bootstrapRbac(release.bootstrapRbac)),
  ...apiServiceSeeds(catalogue.all(), now),
  ...flowSeeds(formatTime(now)),
  ...(catalogue.find(ipAddresses, '') ? serviceAddressSeeds(range, firstHost(range), formatTime(now)) : []),
];

const ipAddresses = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' };

const alreadyDone = Promise.resolve();
