import { fieldErrorText } from '../../machinery/meta/field-error.ts';
import { gvkText, parseApiVersion } from '../../machinery/meta/gvk.ts';
import { isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject, StringMap } from '../../machinery/meta/object.ts';
import { validateLabels } from '../../api/validation/meta/labels.ts';
import { validateAnnotations } from '../../api/validation/meta/object-meta.ts';

export type Checked =
  | { readonly outcome: 'good'; readonly object: KubernetesObject }
  /** The text behind `returned `. */
  | { readonly outcome: 'bad'; readonly error: string };

const bad = (error: string): Checked => ({ outcome: 'bad', error });

/**
 * A converted object with the metadata it had before, but for labels and annotations, which a converter may change.
 * Follows apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go validateConvertedObject, restoreObjectMeta.
 */
export function checkConverted(original: KubernetesObject, converted: JsonValue, to: string): Checked {
  const object = isJsonObject(converted) ? converted : {};
  const type = typeProblem(original, object, to);
  if (type !== '') return bad(`invalid object at index 0: ${type}`);
  const identity = identityProblem(original, object);
  if (identity !== '') return bad(`invalid object: ${identity}`);
  const { metadata } = object;
  if (metadata === undefined) return bad('invalid metadata: missing metadata in converted object');
  if (!isJsonObject(metadata)) {
    return bad(`invalid metadata: invalid metadata of type ${goTypeOf(metadata)} in converted object`);
  }
  const problem = mapProblem(original, metadata, 'labels') || mapProblem(original, metadata, 'annotations');
  if (problem !== '') return bad(`invalid metadata: ${problem}`);
  return { outcome: 'good', object: restored(original, object, metadata, to) };
}

function typeProblem({ kind }: KubernetesObject, object: JsonObject, to: string): string {
  const got = textOf(object['apiVersion']);
  if (got !== to) return `invalid groupVersion (expected ${to}, received ${got})`;
  const gotKind = textOf(object['kind']);
  return gotKind === kind ? '' : `invalid kind (expected ${kind}, received ${gotKind})`;
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

function identityProblem(original: KubernetesObject, { metadata }: JsonObject): string {
  const [before, after] = [metadataOf(original), isJsonObject(metadata) ? metadata : {}];
  const fields = [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const;
  for (const [field, word] of fields) {
    const [expected, actual] = [before[field] ?? '', textOf(after[field])];
    if (expected !== actual) return `must have the same ${word}: ${expected} != ${actual}`;
  }
  return '';
}

function mapProblem(original: KubernetesObject, metadata: JsonObject, field: 'labels' | 'annotations'): string {
  const value = metadata[field] ?? null;
  if (value === null) return '';
  if (!isJsonObject(value)) return `invalid metadata.${field} of type ${goTypeOf(value)} in converted object`;
  if (!isStringMap(value)) {
    const key = Object.keys(value).find((name) => typeof value[name] !== 'string') ?? '';
    return `metadata.${field}[${key}] must be a string, but is ${goTypeOf(value[key])} in converted object`;
  }
  if (sameMap(metadataOf(original)[field] ?? {}, value)) return '';
  const errors =
    field === 'labels' ? validateLabels(value, 'metadata.labels') : validateAnnotations(value, 'metadata.annotation');
  const texts = errors.map(fieldErrorText);
  return texts.length > 1 ? `[${texts.join(', ')}]` : (texts[0] ?? '');
}

function sameMap(a: StringMap, b: JsonObject): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}

/** What Go calls the values of an unstructured object. */
function goTypeOf(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  return Number.isInteger(Number(value)) ? 'int64' : 'float64';
}

function restored(
  original: KubernetesObject,
  object: JsonObject,
  { labels, annotations }: JsonObject,
  apiVersion: string,
): KubernetesObject {
  const { kind, metadata } = original;
  const own: KubernetesObject = { ...object, apiVersion, kind, metadata: metadata ?? {} };
  return withMetadata(own, {
    labels: isStringMap(labels) ? labels : undefined,
    annotations: isStringMap(annotations) ? annotations : undefined,
  });
}

const isStringMap = (value: JsonValue | undefined): value is StringMap & JsonObject =>
  isJsonObject(value) && Object.keys(value).every((name) => typeof value[name] === 'string');

/** `example.com/v1, Kind=Widget`, as messages name what was to be converted. */
export const kindText = ({ apiVersion, kind }: KubernetesObject): string =>
  gvkText({ ...parseApiVersion(apiVersion), kind });
