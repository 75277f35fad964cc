import { sameJson } from '../../machinery/json/json-equal.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { listWords } from '../findings/field-words.ts';
import type { Trace } from '../trace/trace.ts';

/**
 * An update was refused that only takes finalizers from an object that is being deleted: the object cannot go before one is
 * admitted. Undefined for all other requests.
 */
export function deletionHint({ verdict, objectBefore, objectReceived }: Trace): string | undefined {
  if (verdict === 'admitted' || !objectBefore || !objectReceived) return undefined;
  const { deletionTimestamp } = asObject(objectBefore['metadata']);
  const [before, after] = [finalizersOf(objectBefore), finalizersOf(objectReceived)];
  const removed = before.filter((one) => !after.includes(one));
  const isOnlyRemoval =
    after.every((one) => before.includes(one)) && sameJson(rest(objectBefore), rest(objectReceived));
  if (deletionTimestamp === undefined || removed.length === 0 || !isOnlyRemoval) return undefined;
  const what = `finalizer${removed.length === 1 ? '' : 's'} ${listWords(removed)}`;
  return `the object is being deleted (it has a deletionTimestamp), and this update only removes ${what}: the object stays until such an update is admitted; allow updates of objects that have a deletionTimestamp`;
}

const finalizersOf = ({ metadata }: JsonObject): readonly string[] =>
  asList(asObject(metadata)['finalizers']).map(asString);

/** The object without finalizers and without what the server writes with each update. */
function rest({ metadata, ...object }: JsonObject): JsonObject {
  const { finalizers: _finalizers, managedFields: _fields, resourceVersion: _version, ...own } = asObject(metadata);
  return { ...object, metadata: own };
}
