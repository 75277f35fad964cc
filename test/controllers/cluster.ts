import { setImmediate } from 'node:timers/promises';
import { defaultSettings } from '../../src/apiserver/admission/plugins/plugin-settings.ts';
import { randomUUID } from 'node:crypto';
import type { CallWebhook } from '../../src/apiserver/admission/webhooks/call.ts';
import { asKubernetesObject, type KubernetesObject, metadataOf } from '../../src/machinery/meta/object.ts';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import { aggregatedRules } from '../../src/apiserver/auth/rbac/aggregate.ts';
import { createBootstrapRbac } from '../../src/apiserver/auth/bootstrap-rbac.ts';
import { type ClientRequest, createClientFactory, kubeconfigUser } from '../../src/controllers/client.ts';
import type { Controller } from '../../src/controllers/controller.ts';
import { enabledControllers } from '../../src/controllers/enabled-controllers.ts';
import { readManifestPath } from '../../src/app/compose/manifest-files.ts';
import { loadManifests } from '../../src/controllers/load-manifests.ts';
import {
  clusterSeeds,
  nodesBinding,
  rbacSeeds,
  seedObjects,
  serviceAddressSeeds,
} from '../../src/controllers/seed-objects.ts';
import { flowSeeds } from '../../src/controllers/flow-control/bootstrap.ts';
import {
  type ControllerPorts,
  startControllers,
  startApiControllers,
} from '../../src/controllers/start-controllers.ts';
import { bodyFormats, readYamlBody } from '../../src/adapters/http/body-formats.ts';
import type { FinishedRequest } from '../../src/apiserver/request/handle.ts';
import { issueCertificate, type KeyedCertificate } from '../../src/adapters/certificates/issue-certificate.ts';
import { signRequest } from '../../src/adapters/certificates/sign-request.ts';
import { createApiServer } from '../../src/app/compose/create-api.ts';
import type { EventTtl } from '../../src/controllers/event-expiry.ts';
import { createClusterState } from '../../src/app/compose/cluster-state.ts';
import { createVirtualClock } from '../../src/testing/stubs/virtual-clock.ts';
import { recordedRelease } from '../harness/recorded-release.ts';
import { caBundleError } from '../../src/api/validation/certificates/x509.ts';

/** A server without sockets, with its controllers, whose time advances only by `pass`. */
export interface Cluster {
  /** Sends a request as an administrator; throws when it is refused. */
  readonly send: (
    method: ClientRequest['method'],
    path: string,
    body?: JsonObject,
    contentType?: string,
  ) => Promise<JsonObject>;
  /** The object at a path, undefined for none. */
  readonly find: (path: string) => Promise<KubernetesObject | undefined>;
  readonly names: (path: string) => Promise<readonly string[]>;
  /** Waits for the controllers. */
  readonly settle: () => Promise<void>;
  readonly pass: (milliseconds: number) => Promise<void>;
  /** Loads manifests from these paths; returns the error, or `''`. */
  readonly load: (...paths: readonly string[]) => Promise<string>;
  /** Every write so far: user, method, path and code. */
  readonly writes: () => readonly string[];
  readonly finished: readonly FinishedRequest[];
  readonly bugs: readonly unknown[];
  readonly close: () => Promise<void>;
}

let made: Promise<KeyedCertificate> | undefined;

/** Signs approved CertificateSigningRequests; created for the first one. */
const authority = (): Promise<KeyedCertificate> =>
  (made ??= issueCertificate({
    commonName: 'kubernetes',
    purpose: 'authority',
    notBefore: new Date('2025-01-01'),
    notAfter: new Date('2035-01-01'),
  }));

export async function startCluster(
  controllers: readonly string[] = ['*'],
  call?: CallWebhook,
  more: readonly Controller[] = [],
  eventLife: EventTtl = { ttl: 3_600_000, isPunctual: false },
): Promise<Cluster> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const clusterState = createClusterState(recordedRelease, { modes: ['RBAC'] });
  const finished: FinishedRequest[] = [];
  const bugs: unknown[] = [];
  const world = createApiServer(clusterState, {
    clock,
    yieldIfLong: async () => {},
    nextIteration: () => setImmediate(),
    newUid: randomUUID,
    random: Math.random,
    callWebhook: call ?? (() => Promise.reject(new Error('no webhook is expected'))),
    parseYaml: readYamlBody,
    loadCrd: () => import('../../src/api/crd/engine.ts'),
    loadCel: () => import('../../src/cel/index.ts'),
    bodies: bodyFormats(recordedRelease),
    plugins: { enable: [], disable: [] },
    settings: defaultSettings,
    allowPrivileged: true,
    identities: {
      tokens: new Map(),
      anonymousAuth: false,
      signJwt: async () => '',
      verifyJwt: async () => false,
      issuers: [''],
      apiAudiences: [],
    },
    serveDocument: async () => undefined,
    serviceClusterIpRange: '10.0.0.0/24',
    observers: { finished: (one) => finished.push(one), onBug: (_request, error) => bugs.push(error) },
  });
  const { handle } = world;
  const { storage, cluster: store, catalogue: served } = clusterState;
  const seeds = [
    ...clusterSeeds,
    ...rbacSeeds(createBootstrapRbac(recordedRelease.bootstrapRbac)),
    nodesBinding,
    ...flowSeeds('2026-01-01T00:00:00Z'),
    ...serviceAddressSeeds('10.0.0.0/24', '10.0.0.1', '2026-01-01T00:00:00Z'),
  ];
  await seedObjects(storage, seeds, { newUid: randomUUID, now: clock.now() });
  const enabled = enabledControllers(controllers);
  if (enabled.outcome === 'unknown') throw new Error(enabled.error);
  const ports: ControllerPorts = {
    handle,
    storage,
    store,
    served,
    caBundleError,
    serviceClusterIpRange: '10.0.0.0/24',
    clock,
    newUid: randomUUID,
    rootCa: 'the CA',
    signRequest: async (order) => signRequest(order, await authority(), clock.now()),
    aggregatedRules,
    typeWarnings: world.typeWarnings,
    onBug: (error) => bugs.push(error),
    eventLife,
  };
  const apiControllers = startApiControllers(ports);
  world.definitions.follow(apiControllers.definitions);
  const running = startControllers(ports, enabled.names, more);
  const all = [apiControllers, running];
  const idle = async (): Promise<void> => {
    do await Promise.all(all.map((one) => one.idle()));
    while (!all.every((one) => one.isIdle()));
  };
  const makeClient = createClientFactory({ handle, clock, newUid: randomUUID, signal: new AbortController().signal });
  const admin = makeClient(kubeconfigUser, 'kubectl');
  const settle = async (): Promise<void> => {
    await clock.drive(idle());
  };
  return {
    send: async (method, path, body, contentType) => {
      const result = await admin({ method, path, ...(body ? { body } : {}), ...(contentType ? { contentType } : {}) });
      if (!result.ok) throw new Error(result.status.message);
      return result.value;
    },
    find: async (path) => {
      const result = await admin({ method: 'GET', path });
      return result.ok ? asKubernetesObject(result.value) : undefined;
    },
    names: async (path) => {
      const result = await admin({ method: 'GET', path });
      const items: unknown = result.ok ? result.value['items'] : [];
      return Array.isArray(items) ? items.map((item) => metadataOf(item).name ?? '') : [];
    },
    settle,
    pass: async (milliseconds) => {
      await clock.advance(milliseconds);
      await settle();
    },
    load: async (...paths) => {
      const loading = await loadManifests(
        paths,
        { client: admin, served, parse: readYamlBody, settle },
        readManifestPath,
      );
      return loading.outcome === 'failed' ? loading.error : '';
    },
    writes: () => finished.filter(({ request }) => request.method !== 'GET').map(lineOf),
    finished,
    bugs,
    close: async () => void (await Promise.all(all.map((one) => one.close()))),
  };
}

function lineOf({ request, response }: FinishedRequest): string {
  const code = response.type === 'status' ? response.status.code : 'code' in response ? response.code : '';
  return `${request.as?.username ?? ''} ${request.method} ${request.path} ${code}`;
}
