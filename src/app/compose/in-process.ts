import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { bodyFormats, readYamlBody } from '../../adapters/http/body-formats.ts';
import { createDocuments, type DocumentPlatform } from '../../adapters/http/documents.ts';
import { loadRelease } from '../../api/release/load-release.ts';
import { firstHostAddress } from '../../api/strategy/cluster-ips.ts';
import type { OwnPlugin } from '../../apiserver/admission/chain/own-plugin.ts';
import { defaultSettings } from '../../apiserver/admission/plugins/plugin-settings.ts';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import { createBootstrapRbac } from '../../apiserver/auth/bootstrap-rbac.ts';
import type { Observers } from '../../apiserver/request/handle.ts';
import { apiServiceSeeds } from '../../controllers/api-service-controller.ts';
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
import { type ApiServer, type ApiServerPorts, createApiServer, type Identities } from './create-api.ts';
import { type ClusterState, createClusterState, type ForkableClusterState } from './cluster-state.ts';
import { encodeBytes } from '../../machinery/go/base64-bytes.ts';
import type { JsonObject } from '../../machinery/json/json.ts';

export type InProcessConfig = Pick<ServerConfig, 'controllers' | 'enableAdmissionPlugins' | 'disableAdmissionPlugins'> &
  Pick<ApiServerPorts, 'coverage' | 'policySeed' | 'mutatingOrder'> & {
    readonly authorizationMode: string | readonly string[];
    /** Default 0. */
    readonly nodes?: number;
    /** `1.33`; default: `followedVersion`. */
    readonly kubernetesVersion?: string | undefined;
    readonly ownPlugins?: readonly OwnPlugin[] | undefined;
  };

interface InProcessPorts extends Pick<ControllerParts, 'clock' | 'newUid' | 'random' | 'onBug'> {
  /** Stops a virtual clock during real I/O. */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
  readonly callWebhook: CallWebhook;
  readonly platform: WorldPlatform;
  readonly finished: Observers['finished'];
}

interface InProcess extends ApiServer {
  readonly controllers: RunningControllers;
}

const serviceClusterIpRange = '10.0.0.0/24';

/** The objects of a fresh server after the controllers have processed them. */
export async function createBase(config: InProcessConfig, ports: InProcessPorts): Promise<ForkableClusterState> {
  const release = await loadRelease(config.kubernetesVersion ?? '');
  const clusterState = createClusterState(release, { modes: [config.authorizationMode].flat() });
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
  ...rbacSeeds(createBootstrapRbac(release.bootstrapRbac)),
  ...apiServiceSeeds(catalogue.all(), now),
  ...flowSeeds(formatTime(now)),
  ...(catalogue.find(ipAddresses, '') ? serviceAddressSeeds(range, firstHostAddress(range), formatTime(now)) : []),
];

const ipAddresses = { group: 'networking.k8s.io', version: 'v1', resource: 'ipaddresses' };

const alreadyDone = Promise.resolve();

/** What differs between Node and a browser, for worlds without sockets. */
export interface WorldPlatform extends Pick<ApiServerPorts, 'nextIteration' | 'signatureFault'> {
  /** HMAC-SHA-512 with the key of worlds. */
  readonly signToken: (text: string) => Promise<Uint8Array>;
  readonly documents: DocumentPlatform;
}

/** `kube-root-ca.crt` in a world without sockets. It signs nothing: its key does not exist. */
const worldRootCa = `-----BEGIN CERTIFICATE-----
MIIBSDCB7qADAgECAgEBMAoGCCqGSM49BAMCMBoxGDAWBgNVBAMTD2thZG1pdC13
b3JsZC1jYTAgFw0yNTAxMDEwMDAwMDBaGA8yMTI1MDEwMTAwMDAwMFowGjEYMBYG
A1UEAxMPa2FkbWl0LXdvcmxkLWNhMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
rA1z64e8N+ii/SGEqP0c3ZQyT+V94sNuz09ABWHrP67o6tIX1YN+60y/NCcSYbDH
3dkOQv1TNBiavy3lkGsk9aMjMCEwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8E
BAMCAgQwCgYIKoZIzj0EAwIDSQAwRgIhAK7yem/OIeJ9StYMz6L68cbAsajGxJ0b
ULOXX2RusiakAiEA02BplSedYv88KYOcgdakwKpa3XqN8WbUGf3rWzeBLws=
-----END CERTIFICATE-----
`;

/** Public: no request from outside can carry a token of a world. */
export const worldTokenKey = 'the key of worlds without sockets';

const base64url = (bytes: Uint8Array): string =>
  encodeBytes(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

const encodeTokenPart = (value: JsonObject): string => base64url(new TextEncoder().encode(JSON.stringify(value)));

/** The issuer of kubeadm's clusters. */
export const defaultIssuer = 'https://kubernetes.default.svc';

/**
 * Tokens of a world without sockets: the signature has the form of ES256 and depends on the token only, so that two runs are
 * equal.
 */
export function worldIdentities(signToken: (text: string) => Promise<Uint8Array>): Identities {
  const tokenOf = async (signed: string): Promise<string> => `${signed}.${base64url(await signToken(signed))}`;
  return {
    tokens: new Map(),
    anonymousAuth: true,
    issuers: [defaultIssuer],
    apiAudiences: [defaultIssuer],
    signJwt: (claims) =>
      tokenOf(`${encodeTokenPart({ alg: 'ES256', kid: 'kadmit-world' })}.${encodeTokenPart(claims)}`),
    verifyJwt: async ({ token }) => token === (await tokenOf(token.slice(0, token.lastIndexOf('.')))),
  };
}
