import { asObject, asString, type JsonObject, valueAt } from '../../../machinery/json/json.ts';
import { isAdmissionResource } from '../known-webhooks.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { requestAddress, objectBeforeWrite, wasStored, recordedObjectKey, requestPath } from './object-key.ts';
import type { Recording } from './recording.ts';

/** `unchanged`: objects read from the server that no write has changed. */
interface Source extends Pick<Recording, 'writes' | 'traces'> {
  readonly unchanged: readonly JsonObject[];
  readonly firstChanges: readonly Trace[];
}

/**
 * Objects that must exist before the first write: configurations, namespaces, targets of writes and what those need; not what the writes
 * create.
 */
export function storedBefore({
  writes,
  traces,
  currentObjects: found,
}: Pick<Recording, 'writes' | 'traces' | 'currentObjects'>): readonly JsonObject[] {
  const firstChanges = firstChangesOf(writes, traces);
  const unchanged = found.filter((object) => !firstChanges.has(recordedObjectKey(object)));
  const source: Source = { writes, traces, unchanged, firstChanges: [...firstChanges.values()] };
  const related = [...firstChanges.values()].filter((trace) => isSurrounding(trace, writes));
  const all = [
    ...writes.flatMap((write) => [...targetBefore(write, source), ...collectionBefore(write, source)]),
    ...source.unchanged,
    ...deletedSince(source),
    ...related.map(objectBeforeWrite),
  ];
  const objects = new Map<string, JsonObject>();
  for (const object of all)
    if (object !== undefined && !objects.has(recordedObjectKey(object))) objects.set(recordedObjectKey(object), object);
  return [...objects.values()];
}

/** First write of each object since the recording began: objects read later have changed since. */
function firstChangesOf(writes: readonly Trace[], traces: readonly Trace[]): ReadonlyMap<string, Trace> {
  const start = writes[0] ? Math.max(traces.indexOf(writes[0]), 0) : 0;
  const changes = new Map<string, Trace>();
  for (const trace of traces.slice(start).filter(wasStored)) {
    const object = objectBeforeWrite(trace) ?? trace.objectAfter;
    if (object && trace.request.name !== '' && !changes.has(recordedObjectKey(object)))
      changes.set(recordedObjectKey(object), trace);
  }
  return changes;
}

/** The target before the write, unless an earlier write created it. */
function targetBefore(write: Trace, { writes, unchanged, firstChanges }: Source): readonly (JsonObject | undefined)[] {
  const address = requestAddress(write.request);
  if (firstWriteTo(write, writes) !== write) return [];
  // A write without changes, such as a CONNECT, may precede the one whose trace has the object.
  const change = firstChanges.find(({ request }) => requestAddress(request) === address);
  const known = objectBeforeWrite(write) ?? (change && objectBeforeWrite(change));
  return known ? [known] : unchanged.filter((object) => isTargetOf(object, write));
}

/** Compares names, since kinds differ from resources. */
const isTargetOf = (object: JsonObject, { request, objectReceived }: Trace): boolean =>
  valueAt(object, 'metadata', 'name') === request.name &&
  asString(valueAt(object, 'metadata', 'namespace')) === (request.resource === 'namespaces' ? '' : request.namespace) &&
  (request.subresource !== '' || objectReceived === undefined || objectReceived?.['kind'] === object['kind']);

/** Old objects that webhooks received, and objects that earlier writes left. */
function collectionBefore({ request, admission }: Trace, { writes, traces }: Source): readonly JsonObject[] {
  if (request.verb !== 'deletecollection') return [];
  const seen = admission.flatMap((one) => {
    const old = one.type === 'webhook' ? asObject(valueAt(one.review ?? undefined, 'request', 'oldObject')) : {};
    return Object.keys(old).length > 0 ? [old] : [];
  });
  const start = writes[0] ? traces.indexOf(writes[0]) : 0;
  const left = new Map<string, JsonObject | null>();
  for (const trace of traces.slice(0, Math.max(start, 0))) {
    if (wasStored(trace) && isInCollection(trace, request))
      left.set(requestAddress(trace.request), objectAfterWrite(trace));
  }
  const made = new Set(writes.filter(wasStored).map((one) => requestAddress(one.request)));
  const kept = [...left].flatMap(([address, object]) => (object && !made.has(address) ? [object] : []));
  return [...seen.filter((object) => !made.has(reviewedAddress(object, request))), ...kept];
}

const isInCollection = (trace: Trace, { group, resource, namespace }: Trace['request']): boolean =>
  trace.request.group === group &&
  trace.request.resource === resource &&
  trace.request.namespace === namespace &&
  trace.request.subresource === '' &&
  trace.request.name !== '';

const objectAfterWrite = ({ request, objectAfter }: Trace): JsonObject | null =>
  request.verb === 'delete' ? null : objectAfter;

const reviewedAddress = (object: JsonObject, request: Trace['request']): string =>
  requestAddress({ ...request, name: asString(valueAt(object, 'metadata', 'name')) });

/** Objects from earlier writes that are needed and deleted since. */
function deletedSince({ writes, traces }: Source): readonly (JsonObject | undefined)[] {
  const start = writes[0] ? Math.max(traces.indexOf(writes[0]), 0) : 0;
  const made = new Set(
    writes
      .filter((one) => createsObject(one) && firstWriteTo(one, writes) === one)
      .map((one) => requestAddress(one.request)),
  );
  const wanted = new Set(neededObjects(writes));
  const left = new Map<string, JsonObject | undefined>();
  for (const trace of traces.slice(0, start)) {
    const { request } = trace;
    if (!wasStored(trace) || request.subresource !== '' || !wanted.has(requestPath(request))) continue;
    if (!made.has(requestAddress(request))) left.set(requestPath(request), objectAfterWrite(trace) ?? undefined);
  }
  return [...left.values()];
}

const firstWriteTo = (write: Trace, writes: readonly Trace[]): Trace | undefined =>
  writes.find(({ request }) => request.name !== '' && requestAddress(request) === requestAddress(write.request));

/** A DELETE has no object before it either. */
const createsObject = (write: Trace): boolean =>
  wasStored(write) && write.objectBefore === null && !['delete', 'connect'].includes(write.request.verb);

/** Configurations or namespaces that changed or were deleted meanwhile. */
const isSurrounding = ({ request }: Trace, writes: readonly Trace[]): boolean =>
  isAdmissionResource(request.resource) ||
  (request.resource === 'namespaces' && writes.some((write) => write.request.namespace === request.name));

const configurations = ['webhookconfigurations', 'admissionpolicies', 'admissionpolicybindings'].flatMap((resource) =>
  ['mutating', 'validating'].map((type) => `/apis/admissionregistration.k8s.io/v1/${type}${resource}`),
);

/** Paths of objects and lists to read from the server: admission configurations, and what the writes need and the traces lack. */
export function neededObjects(writes: readonly Trace[]): readonly string[] {
  const namespaces = new Set(writes.map(({ request }) => request.namespace).filter((name) => name !== ''));
  const around = [...namespaces].flatMap((name) => [
    `/api/v1/namespaces/${encodeURIComponent(name)}`,
    `/api/v1/namespaces/${encodeURIComponent(name)}/limitranges`,
  ]);
  return [
    ...new Set([
      ...configurations,
      ...around,
      ...writes.flatMap(targetPaths),
      ...writes.flatMap(dependencyPaths),
      ...writes.flatMap(paramPaths),
      ...writes.flatMap(definitionPaths),
    ]),
  ];
}

/** ConfigMaps used as `params`; params of other kinds have to be added by hand. */
const paramPaths = ({ admission }: Trace): readonly string[] =>
  admission.flatMap((one) => {
    const params = one.type === 'policy' ? one.params : undefined;
    if (params?.kind !== 'ConfigMap') return [];
    return [`/api/v1/namespaces/${encodeURIComponent(params.namespace)}/configmaps/${encodeURIComponent(params.name)}`];
  });

/** Built-in kinds have none: the read returns 404. */
const definitionPaths = ({ request: { group, resource } }: Trace): readonly string[] =>
  group === ''
    ? []
    : [`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(`${resource}.${group}`)}`];

/** Targets whose earlier state the trace lacks. */
const targetPaths = ({ request, objectBefore }: Trace): readonly string[] =>
  request.name === '' || (objectBefore !== null && request.subresource === '') ? [] : [requestPath(request)];

const dependencyPaths = ({ request, objectReceived }: Trace): readonly string[] =>
  objectReceived ? neededBy(objectReceived, request.namespace) : [];

/** Dependencies of objects that were read. */
export const dependenciesOfObjects = (found: readonly JsonObject[]): readonly string[] =>
  found.flatMap((object) => neededBy(object, asString(valueAt(object, 'metadata', 'namespace'))));

/** Objects that a Pod or Pod template names. */
function neededBy(object: JsonObject, namespace: string): readonly string[] {
  const spec = asObject(object['spec']);
  const pod = object['kind'] === 'Pod' ? spec : asObject(valueAt(spec, 'template', 'spec'));
  const accounts = `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts`;
  return [
    ...dependencyPath(pod, 'serviceAccountName', accounts),
    ...dependencyPath(pod, 'priorityClassName', '/apis/scheduling.k8s.io/v1/priorityclasses'),
    ...dependencyPath(pod, 'runtimeClassName', '/apis/node.k8s.io/v1/runtimeclasses'),
    ...dependencyPath(spec, 'storageClassName', '/apis/storage.k8s.io/v1/storageclasses'),
  ];
}

function dependencyPath(spec: JsonObject, field: string, collection: string): readonly string[] {
  const name = asString(spec[field]);
  const alwaysExists =
    name === '' || (field === 'serviceAccountName' && name === 'default') || name.startsWith('system-');
  return alwaysExists ? [] : [`${collection}/${encodeURIComponent(name)}`];
}
