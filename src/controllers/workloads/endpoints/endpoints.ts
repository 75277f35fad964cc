import { groupBy } from '../../../machinery/lists.ts';
import type { BuiltinTypes } from '../../../api/types/builtin-types.ts';
import type { EndpointAddress, Endpoints, Pod, Service } from '../../../api/types/generated/core-v1.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { type ApiClient, controllerUser } from '../../client.ts';
import type { Controller } from '../../controller.ts';
import { objectHash } from '../../template-hash/template-hash.ts';
import { createWorkQueue, combineProgress } from '../../work-queue.ts';
import { createEventRecorder, type EventRecorder } from '../event-recorder.ts';
import { isDeleted, nameOf, namespaceOf } from '../fields.ts';
import { queueKey, type ObjectName, toObjectName } from '../follow-pods.ts';
import { isReady, nodeOfPod } from '../pod-state.ts';
import { putObject, removeObject, postObject, ignoreTerminatingNamespace } from '../../write-object.ts';
import { followServices, services, selectedPods } from './follow-services.ts';
import { endpointsResource } from './mirroring.ts';
import {
  addressTypesOf,
  addressesOfType,
  podHostname,
  isHeadless,
  isReachable,
  publishesNotReady,
  podPorts,
  selectsPods,
  podReference,
  endpointLabels,
} from './service-endpoint.ts';
import { createTriggerTimes, withTriggerAnnotation } from './trigger-times.ts';

const managedByLabel = 'endpoints.kubernetes.io/managed-by';

/** Maintains the Endpoints of Services. Follows pkg/controller/endpoint/endpoints_controller.go. */
export const endpointsController: Controller = (context) => {
  const { store, served } = context;
  const client = context.clientFor(controllerUser('endpoint-controller'));
  const recorder = createEventRecorder('endpoint-controller', client, context);
  const triggers = createTriggerTimes();
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const service = store.get(services, key.namespace, key.name);
    const current = store.get(endpointsResource, key.namespace, key.name);
    if (!service) {
      triggers.forget(queueKey(key));
      return current ? removeObject(client, endpointsResource, current) : ok(undefined);
    }
    if (!selectsPods(service) || isDeleted(service)) return ok(undefined);
    const chosen = selectedPods(store, service);
    const time = triggers.next(queueKey(key), service, chosen);
    const desired = {
      subsets: computeSubsets(served.types, service, chosen),
      labels: { ...endpointLabels(service), [managedByLabel]: 'endpoint-controller' },
    };
    if (current && isUpToDate(current, desired)) return ok(undefined);
    const next = withContents(current ?? newEndpoints(service), desired, time);
    return writeEndpoints(next, { client, recorder, isNew: !current });
  };
  const queue = createWorkQueue(queueKey, sync, context);
  followServices(context, queue.add);
  return combineProgress([queue.progress, recorder.progress]);
};

interface EndpointsWrite {
  readonly client: ApiClient;
  readonly recorder: EventRecorder;
  readonly isNew: boolean;
}

/** Reports a failed write; the queue retries it. */
async function writeEndpoints(
  endpoints: Endpoints,
  { client, recorder, isNew }: EndpointsWrite,
): Promise<Result<unknown>> {
  const writeObject = isNew ? postObject : putObject;
  const written = ignoreTerminatingNamespace(await writeObject(client, endpointsResource, endpoints));
  if (written.ok) return written;
  const [reason, what] = isNew
    ? (['FailedToCreateEndpoint', 'create endpoint for service'] as const)
    : (['FailedToUpdateEndpoint', 'update endpoint'] as const);
  const message = `Failed to ${what} ${queueKey(toObjectName(endpoints))}: ${written.status.message ?? ''}`;
  recorder.event(endpoints, 'Warning', reason, message);
  return written;
}

interface EndpointsContents {
  readonly subsets: readonly JsonObject[];
  readonly labels: Readonly<Record<string, string>>;
}

const isUpToDate = (current: Endpoints, { subsets, labels }: EndpointsContents): boolean =>
  sameJson(asList(current.subsets), subsets) && sameJson(metadataOf(current).labels ?? {}, labels);

function withContents(
  endpoints: Endpoints,
  { subsets, labels }: EndpointsContents,
  time: string | undefined,
): KubernetesObject {
  return withMetadata({ ...endpoints, subsets }, { labels, annotations: withTriggerAnnotation(endpoints, time) });
}

const newEndpoints = (service: Service): KubernetesObject => ({
  kind: 'Endpoints',
  apiVersion: 'v1',
  metadata: { name: nameOf(service), namespace: namespaceOf(service) },
});

/** The addresses and ports of a Service's Pods. Follows syncService. */
export function computeSubsets(
  types: BuiltinTypes,
  service: Service,
  chosen: readonly KubernetesObject[],
): readonly JsonObject[] {
  const reachable = chosen.filter((pod) => isReachable(pod) && (publishesNotReady(service) || !isDeleted(pod)));
  const isPortless = isHeadless(service) && asList(asObject(service.spec).ports).length === 0;
  const candidates = reachable.flatMap((pod): readonly EndpointCandidate[] => {
    const address = toEndpointAddress(service, pod);
    if (!address) return [];
    const own = { address, isReady: publishesNotReady(service) || isReady(pod) };
    if (isPortless) return [{ ...own, port: undefined }];
    return podPorts(service, pod).map(({ name, ...port }) => ({
      ...own,
      port: name === '' ? port : { name: asString(name), ...port },
    }));
  });
  return packSubsets(types, candidates);
}

function toEndpointAddress(service: Service, pod: Pod): JsonObject | undefined {
  const ip = addressesOfType(pod, addressTypesOf(service)[0] ?? 'IPv4')[0];
  const hostname = podHostname(service, pod);
  if (ip === undefined) return undefined;
  return {
    ip,
    ...(hostname === '' ? {} : { hostname }),
    nodeName: nodeOfPod(pod),
    targetRef: podReference(pod),
  };
}

/** An address with its readiness and port; without a port where the Service has none. */
export interface EndpointCandidate {
  readonly address: EndpointAddress;
  readonly isReady: boolean;
  readonly port: JsonObject | undefined;
}

interface Port {
  readonly port: JsonObject | undefined;
  readonly addresses: Map<string, { readonly address: EndpointAddress; isReady: boolean }>;
}

/** Addresses with equal ports share a subset. Follows pkg/api/v1/endpoints/util.go RepackSubsets. */
export function packSubsets(types: BuiltinTypes, offers: readonly EndpointCandidate[]): readonly JsonObject[] {
  const subsets = [...groupByAddresses(groupByPort(offers)).values()].map((ports) => toSubset(types, ports));
  return sortByHash(subsets, (subset) => objectHash(types, 'core.v1.EndpointSubset', subset));
}

function groupByPort(offers: readonly EndpointCandidate[]): Iterable<Port> {
  const known = new Map<string, Port>();
  for (const { address, isReady, port } of offers) {
    const key = JSON.stringify(port ?? null);
    const { addresses } = known.get(key) ?? { addresses: new Map() };
    known.set(key, { port, addresses });
    const id = `${asString(address.ip)} ${asString(address.targetRef?.uid)}`;
    // An address that is not ready once is not ready.
    addresses.set(id, { address, isReady: isReady && addresses.get(id)?.isReady !== false });
  }
  return known.values();
}

const groupByAddresses = (ports: Iterable<Port>): ReadonlyMap<string, readonly Port[]> =>
  groupBy(ports, ({ addresses }) =>
    [...addresses]
      .map(([id, { isReady }]) => `${id} ${isReady}`)
      .sort()
      .join(),
  );

function toSubset(types: BuiltinTypes, shared: readonly Port[]): JsonObject {
  const all = [...(shared[0]?.addresses ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const ready = all.filter(({ isReady }) => isReady).map(({ address }) => address);
  const others = all.filter(({ isReady }) => !isReady).map(({ address }) => address);
  const ports = shared.flatMap(({ port }) => (port ? [port] : []));
  return {
    ...(ready.length === 0 ? {} : { addresses: ready }),
    ...(others.length === 0 ? {} : { notReadyAddresses: others }),
    ...(ports.length === 0
      ? {}
      : { ports: sortByHash(ports, (port) => objectHash(types, 'core.v1.EndpointPort', port)) }),
  };
}

function sortByHash(list: readonly JsonObject[], hashOf: (one: JsonObject) => bigint): readonly JsonObject[] {
  if (list.length < 2) return list;
  const hashed = list.map((one) => ({ one, hash: hashOf(one) }));
  return hashed.sort((a, b) => (a.hash < b.hash ? -1 : 1)).map(({ one }) => one);
}
