import { setImmediate } from 'node:timers/promises';
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
import type { Clock, NewUid, Random } from '../../machinery/clock.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { runControllers, type RunningControllers } from './controllers.ts';
import { type ApiServer, type ApiServerPorts, createApiServer } from './create-api.ts';
import { createClusterState, type ForkableClusterState, type ClusterState } from './cluster-state.ts';
import { worldIdentities, worldRootCa } from './identity.ts';

/** What a world without sockets runs with. */
export type InProcessConfig = Pick<
  ServerConfig,
  'controllers' | 'enableAdmissionPlugins' | 'disableAdmissionPlugins'
> & {
  readonly authorizationMode: string | readonly string[];
  /** So many nodes on which Pods live; none unless said. */
  readonly nodes?: number;
  /** The release that is followed: `1.32`; the newest unless said. */
  readonly kubernetesVersion?: string | undefined;
  /** Do traces tell which branches of expressions were taken? Not unless said. */
  readonly coverage?: boolean | undefined;
  /** Shuffles the policies and their bindings; by name unless it is said. */
  readonly policySeed?: number | undefined;
  /** The mutating webhooks that are asked, and in which order, for trials; all by name unless it says so. */
  readonly mutatingOrder?: (() => readonly string[] | undefined) | undefined;
  /** Admission plugins of the user's own. */
  readonly ownPlugins?: readonly OwnPlugin[] | undefined;
};

export interface InProcessPorts {
  readonly clock: Clock;
  readonly newUid: NewUid;
  readonly random: Random;
  /** Told of work that waits for something real, so that a virtual clock stands still meanwhile. */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
  readonly callWebhook: CallWebhook;
  readonly finished: Observers['finished'];
  readonly onBug: (error: unknown) => void;
}

/** An API server with its controllers. */
export interface InProcess extends ApiServer {
  readonly controllers: RunningControllers;
}

const serviceClusterIpRange = '10.0.0.0/24';

/** The objects of a fresh server, and what the controllers make of them. Nobody acts in it any more when it resolves. */
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

/** The path of requests over this cluster state, and the controllers at work in it. */
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
  const { clock, newUid, random, callWebhook, hold, finished, onBug } = ports;
  const bodies = bodyFormats(release);
  return {
    clock,
    // The same requests take the same turns in every run.
    yieldIfLong: () => Promise.resolve(),
    nextTurn: () => hold(setImmediate()),
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
    identities: worldIdentities,
    serveDocument: createDocuments({ catalogue, serverAddress: () => 'kubernetes.default.svc', now: clock.now }),
    serviceClusterIpRange,
    observers: {
      finished,
      onBug: ({ method, path }, error) => onBug(new Error(`${method} ${path}`, { cause: error })),
    },
  };
}

/** What a fresh server over this cluster state has before anybody asks for something; `now` in ms since 1970, `range` of Services. */
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
