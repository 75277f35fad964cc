import { sortedJson } from '../../../machinery/json/json-writer.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { type KubernetesObject, type ManagedFieldsEntry, metadataOf } from '../../../machinery/meta/object.ts';
import type { AdmissionAttributes } from './attributes.ts';

/**
 * Upstream keeps new managedFields times in nanoseconds until the object is decoded again, so the first patch of a
 * built-in object counts as a change. An update stamps what it changes, an apply only changed values. Follows
 * apimachinery pkg/util/managedfields/internal/managedfieldsupdater.go.
 */
export function hasSubSecondManagedFieldsTime({ object, oldObject, isApply }: AdmissionAttributes): boolean {
  const entries = object === null ? undefined : metadataOf(object).managedFields;
  if (object === null || entries === undefined || entries.length === 0 || hasTimesRead(object)) return false;
  if (oldObject === null) return true;
  if (isApply === true) return !sameJson(withoutBookkeeping(object), withoutBookkeeping(oldObject));
  const before = new Set((metadataOf(oldObject).managedFields ?? []).map(stampOf));
  if (entries.some((entry) => !before.has(stampOf(entry)))) return true;
  // Two writes within one second print the same time: compare the values.
  return addsOrChanges(withoutBookkeeping(object), withoutBookkeeping(oldObject));
}

const stampFields = ['manager', 'operation', 'apiVersion', 'subresource', 'time'] as const;

const stampOf = (entry: ManagedFieldsEntry): string => JSON.stringify(stampFields.map((field) => entry[field]));

function withoutBookkeeping(object: KubernetesObject): JsonObject {
  const {
    managedFields: _managedFields,
    resourceVersion: _version,
    generation: _generation,
    ...metadata
  } = metadataOf(object);
  return { ...object, metadata };
}

function addsOrChanges(after: JsonValue | undefined, before: JsonValue | undefined): boolean {
  if (after === undefined || sameJson(after, before)) return false;
  if (Array.isArray(after) && Array.isArray(before)) {
    const first = after.findIndex((item, index) => !sameJson(item, before[index]));
    return first >= 0 && isMissing(after.slice(first), before);
  }
  if (!isJsonObject(after) || !isJsonObject(before)) return true;
  return Object.keys(after).some((field) =>
    addsOrChanges(after[field], Object.hasOwn(before, field) ? before[field] : undefined),
  );
}

/** Compares equal prefixes by index, the rest by text. */
function isMissing(items: readonly JsonValue[], among: readonly JsonValue[]): boolean {
  const texts = new Set(among.map(sortedJson));
  return items.some((item) => !texts.has(sortedJson(item)));
}

/** A mark, which no field of the object may carry. */
const readAgain = new WeakSet<KubernetesObject>();

/** Upstream decodes the object here, which cuts the times of this request to whole seconds. */
export function truncateManagedFieldsTimes(object: KubernetesObject): KubernetesObject {
  readAgain.add(object);
  return object;
}

export const hasTimesRead = (object: KubernetesObject): boolean => readAgain.has(object);
