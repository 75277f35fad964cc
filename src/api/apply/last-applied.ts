import { asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { readJson, plainValue } from '../../machinery/json/json-reader.ts';
import { writeJsonForGo } from '../../machinery/json/json-writer.ts';
import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { Application } from './apply-fields.ts';
import { compare } from './compare.ts';
import { applyConflict } from './conflicts.ts';
import { difference, isLeaf, leaf } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import { fieldSetOf } from './field-set-of.ts';
import { typeErrors } from './type-errors.ts';

/** The one manager that moves from client-side to server-side apply. */
export const lastAppliedManager = 'kubectl';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

type Allowed = { readonly outcome: 'allowed' } | { readonly outcome: 'conflict'; readonly status: Status };

/**
 * Which conflicts are left if fields that still are as kubectl applied them on the client's side do not count;
 * undefined when there is no such configuration. Follows apimachinery
 * pkg/util/managedfields/internal/lastappliedmanager.go.
 */
export function allowedByLastApplied(
  { live, type, managers }: Pick<Application, 'live' | 'type' | 'managers'>,
  conflicts: ReadonlyMap<string, FieldSet>,
): Allowed | undefined {
  const applied = readLastApplied(live);
  if (!applied || applied['apiVersion'] !== live.apiVersion || typeErrors(type, applied) !== undefined)
    return undefined;
  const { changed, removed } = compare(type, applied, live);
  const same = difference(difference(fieldSetOf(type, applied), changed ?? leaf), removed ?? leaf);
  const left = [...conflicts].map(([identity, fields]) => [identity, difference(fields, same)] as const);
  const real = new Map(left.filter(([, fields]) => !isLeaf(fields)));
  return real.size === 0 ? { outcome: 'allowed' } : { outcome: 'conflict', status: applyConflict(real, managers) };
}

function readLastApplied(object: KubernetesObject): JsonObject | undefined {
  const text = asString(metadataOf(object).annotations?.[annotation]);
  const reading = text === '' ? undefined : readJson(text);
  const value: JsonValue = reading?.outcome === 'read' ? plainValue(reading.json.value) : null;
  return isJsonObject(value) ? value : undefined;
}

/**
 * The object with the annotation brought up to date, if it has one.
 * Follows apimachinery pkg/util/managedfields/internal/lastappliedupdater.go.
 */
export function withLastApplied(object: KubernetesObject, patch: JsonObject): KubernetesObject {
  const { annotations } = metadataOf(object);
  if (asString(annotations?.[annotation]) === '') return object;
  return withMetadata(object, {
    annotations: { ...annotations, [annotation]: `${writeJsonForGo(sortedDeep(withoutAnnotation(patch)))}\n` },
  });
}

function withoutAnnotation(patch: JsonObject): JsonObject {
  const { metadata } = patch;
  if (!isJsonObject(metadata) || !isJsonObject(metadata['annotations'])) return patch;
  const { [annotation]: _last, ...annotations } = metadata['annotations'];
  return { ...patch, metadata: { ...metadata, annotations } };
}

/** Go prints maps in the order of their keys. */
function sortedDeep(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedDeep);
  if (!isJsonObject(value)) return value;
  const fields = Object.keys(value).toSorted();
  return Object.fromEntries(fields.map((field) => [field, sortedDeep(value[field] ?? null)]));
}
