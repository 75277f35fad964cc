import { asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { decidesAboutWrites } from '../known-webhooks.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { addressOf, before, isStored, keyOf, pathOf } from './object-key.ts';
import { wantedObjects } from './wanted-objects.ts';
import type { Recording } from './recording.ts';

/** What there is to know, and of what was read from the server that which was there before the first write. */
interface Source extends Pick<Recording, 'writes' | 'traces'> {
  readonly unchanged: readonly JsonObject[];
  readonly firstChanges: readonly Trace[];
}

/**
 * The objects that have to be there before the first write: the webhook configurations as they stood then, the namespaces
 * of the writes, what the writes change, and what else was found of what they need. Not those that the writes make.
 */
export function storedBefore({
  writes,
  traces,
  found,
}: Pick<Recording, 'writes' | 'traces' | 'found'>): readonly JsonObject[] {
  const firstChanges = firstChangesOf(writes, traces);
  const unchanged = found.filter((object) => !firstChanges.has(keyOf(object)));
  const source: Source = { writes, traces, unchanged, firstChanges: [...firstChanges.values()] };
  const surroundings = [...firstChanges.values()].filter((trace) => isSurrounding(trace, writes));
  const all = [
    ...writes.flatMap((write) => [...targetBefore(write, source), ...collectionBefore(write, source)]),
    ...source.unchanged,
    ...rememberedBefore(source),
    ...surroundings.map(before),
  ];
  const objects = new Map<string, JsonObject>();
  for (const object of all) if (object !== undefined && !objects.has(keyOf(object))) objects.set(keyOf(object), object);
  return [...objects.values()];
}

/** The first writes of objects since the recording began, by anybody: what was read of them later is not how they were. */
function firstChangesOf(writes: readonly Trace[], traces: readonly Trace[]): ReadonlyMap<string, Trace> {
  const start = writes[0] ? Math.max(traces.indexOf(writes[0]), 0) : 0;
  const changes = new Map<string, Trace>();
  for (const trace of traces.slice(start).filter(isStored)) {
    const object = before(trace) ?? trace.objectAfter;
    if (object && trace.request.name !== '' && !changes.has(keyOf(object))) changes.set(keyOf(object), trace);
  }
  return changes;
}

/** What the write found there, unless an earlier one has put it there. */
function targetBefore(write: Trace, { writes, unchanged, firstChanges }: Source): readonly (JsonObject | undefined)[] {
  const address = addressOf(write.request);
  if (firstAt(write, writes) !== write) return [];
  // One that changes nothing, such as a CONNECT, may come before the one that shows what it found.
  const change = firstChanges.find(({ request }) => addressOf(request) === address);
  const known = before(write) ?? (change && before(change));
  return known ? [known] : unchanged.filter((object) => isAt(object, write));
}

/** Kinds differ from resources, but objects of one request do not share their names with others that were read. */
const isAt = (object: JsonObject, { request, objectReceived }: Trace): boolean =>
  valueAt(object, 'metadata', 'name') === request.name &&
  asString(valueAt(object, 'metadata', 'namespace')) === (request.resource === 'namespaces' ? '' : request.namespace) &&
  (request.subresource !== '' || objectReceived === undefined || objectReceived?.['kind'] === object['kind']);

/** What a deletecollection found: what its webhooks saw, and what earlier writes had left there. */
function collectionBefore({ request, admission }: Trace, { writes, traces }: Source): readonly JsonObject[] {
  if (request.verb !== 'deletecollection') return [];
  const seen = admission.flatMap((one) => {
    const old = one.type === 'webhook' ? asObject(valueAt(one.review ?? undefined, 'request', 'oldObject')) : {};
    return Object.keys(old).length > 0 ? [old] : [];
  });
  const start = writes[0] ? traces.indexOf(writes[0]) : 0;
  const left = new Map<string, JsonObject | null>();
  for (const trace of traces.slice(0, Math.max(start, 0))) {
    if (isStored(trace) && isIn(trace, request)) left.set(addressOf(trace.request), after(trace));
  }
  const made = new Set(writes.filter(isStored).map((one) => addressOf(one.request)));
  const kept = [...left].flatMap(([address, object]) => (object && !made.has(address) ? [object] : []));
  return [...seen.filter((object) => !made.has(seenAddress(object, request))), ...kept];
}

const isIn = (trace: Trace, { group, resource, namespace }: Trace['request']): boolean =>
  trace.request.group === group &&
  trace.request.resource === resource &&
  trace.request.namespace === namespace &&
  trace.request.subresource === '' &&
  trace.request.name !== '';

const after = ({ request, objectAfter }: Trace): JsonObject | null => (request.verb === 'delete' ? null : objectAfter);

const seenAddress = (object: JsonObject, request: Trace['request']): string =>
  addressOf({ ...request, name: asString(valueAt(object, 'metadata', 'name')) });

/** What writes before the first one left of what the writes need, and what is gone since. */
function rememberedBefore({ writes, traces }: Source): readonly (JsonObject | undefined)[] {
  const start = writes[0] ? Math.max(traces.indexOf(writes[0]), 0) : 0;
  const made = new Set(
    writes.filter((one) => makes(one) && firstAt(one, writes) === one).map((one) => addressOf(one.request)),
  );
  const wanted = new Set(wantedObjects(writes));
  const left = new Map<string, JsonObject | undefined>();
  for (const trace of traces.slice(0, start)) {
    const { request } = trace;
    if (!isStored(trace) || request.subresource !== '' || !wanted.has(pathOf(request))) continue;
    if (!made.has(addressOf(request))) left.set(pathOf(request), after(trace) ?? undefined);
  }
  return [...left.values()];
}

const firstAt = (write: Trace, writes: readonly Trace[]): Trace | undefined =>
  writes.find(({ request }) => request.name !== '' && addressOf(request) === addressOf(write.request));

/** Is the object new? A DELETE shows no object before it either. */
const makes = (write: Trace): boolean =>
  isStored(write) && write.objectBefore === null && !['delete', 'connect'].includes(write.request.verb);

/** Things that decide about other writes: a configuration or a namespace that was changed or deleted meanwhile. */
const isSurrounding = ({ request }: Trace, writes: readonly Trace[]): boolean =>
  decidesAboutWrites(request.resource) ||
  (request.resource === 'namespaces' && writes.some((write) => write.request.namespace === request.name));
