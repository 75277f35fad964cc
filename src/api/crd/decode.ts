import { apiVersionOf, parseApiVersion } from '../../machinery/meta/gvk.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { isJsonObject, setOwn } from '../../machinery/json/json.ts';
import type { JsonDocument, JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { plainValue } from '../../machinery/json/json-reader.ts';
import type { JsonText } from '../../machinery/json/json-reader.ts';
import { asKubernetesObject } from '../../machinery/meta/object.ts';
import { tooLargeNumber, tooLargeNumberIn } from '../../machinery/json/too-large-number.ts';
import type { Decoded } from '../codec/decoded.ts';
import { withoutNulls } from './defaults.ts';
import { coerceEmbedded, readObjectMeta } from './embedded.ts';
import { fieldErrorText } from '../../machinery/meta/field-error.ts';
import { mapList, prune } from './prune.ts';
import { readStructural } from './structural.ts';
import type { Structural } from './structural.ts';

/** The schemas of a definition, by version; `{}` for one it does not have. */
export type SchemaOf = (version: string) => JsonObject;

/**
 * Reads a body as a custom resource: metadata as Go has it, fields that its schema does not know dropped and told,
 * keys in order. Nothing is defaulted. Follows apiextensions-apiserver pkg/apiserver/customresource_handler.go.
 */
export const decodeCustom = (
  document: JsonDocument,
  kind: GroupVersionKind,
  schemaOf: SchemaOf,
  text?: JsonText,
): Decoded => unlessTooDeep(() => decode(document, kind, schemaOf, text));

/** Go allows 10000 levels, our stack fewer. */
function unlessTooDeep(read: () => Decoded): Decoded {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof RangeError) return { outcome: 'undecodable', error: 'exceeded max depth' };
    throw thrown;
  }
}

function decode(document: JsonDocument, kind: GroupVersionKind, schemaOf: SchemaOf, text?: JsonText): Decoded {
  const plain = plainValue(document);
  const fault = text ? tooLargeNumberIn(text) : plain === document ? undefined : tooLargeNumber(document);
  if (fault !== undefined) return { outcome: 'undecodable', error: fault };
  const value = sorted(plain, 0);
  if (!isJsonObject(value)) return { outcome: 'undecodable', error: notAnObject(value) };
  const meta = readObjectMeta(value['metadata'] ?? null);
  if (meta.outcome === 'undecodable') return meta;
  const whole = withMeta(value, kind, 'metadata' in value ? meta.value : {});
  const { group, version } = parseApiVersion(whole.apiVersion);
  const schema = readStructural(group === kind.group ? schemaOf(version) : {});
  return shaped(whole, schema, [...repeatedKeys(text), ...inMetadata(meta.strict)]);
}

/**
 * What a server-side apply has come to, as a custom resource: neither pruned nor rid of nulls, since it was merged by its
 * schema; what does not fit is told when it is validated.
 * Follows apimachinery pkg/util/managedfields/internal/structuredmerge.go Apply.
 */
export const decodeMerged = (merged: JsonValue, kind: GroupVersionKind): Decoded =>
  unlessTooDeep(() => wholeMerged(merged, kind));

function wholeMerged(merged: JsonValue, kind: GroupVersionKind): Decoded {
  const value = sorted(merged, 0);
  if (!isJsonObject(value)) return { outcome: 'undecodable', error: notAnObject(value) };
  const meta = readObjectMeta(value['metadata'] ?? null);
  if (meta.outcome === 'undecodable') return meta;
  const object = asKubernetesObject(withMeta(value, kind, meta.value));
  if (object === undefined) throw new Error('a custom resource without kind or apiVersion');
  return { outcome: 'decoded', object, strict: [] };
}

function shaped(resource: JsonObject, schema: Structural, strict: readonly string[]): Decoded {
  const unknown = new Set<string>();
  const pruned = prune(resource, schema, (path) => unknown.add(path));
  const coerced = coerceEmbedded(withoutNulls(pruned, schema), schema);
  if (coerced.outcome === 'refused') return { outcome: 'undecodable', error: fieldErrorText(coerced.error) };
  const object = asKubernetesObject(coerced.value);
  if (object === undefined) throw new Error('a custom resource without kind or apiVersion');
  const paths = [...unknown].sort().map((path) => `unknown field "${path}"`);
  return { outcome: 'decoded', object, strict: [...strict, ...paths, ...coerced.strict] };
}

/** What every object has comes first. */
function withMeta(value: JsonObject, kind: GroupVersionKind, metadata: JsonValue) {
  const { apiVersion, kind: sent } = value;
  const head = {
    apiVersion: typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : apiVersionOf(kind),
    kind: typeof sent === 'string' && sent !== '' ? sent : kind.kind,
    metadata,
  };
  return { ...head, ...value, ...head };
}

const notAnObject = (value: JsonValue): string => {
  const found = Array.isArray(value) ? 'array' : typeof value === 'string' ? 'string' : 'number';
  return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
};

const inMetadata = (strict: readonly string[]): readonly string[] =>
  strict.map((complaint) => complaint.replace('"', '"metadata.'));

const mostRepeated = 100;

const repeatedKeys = (text: JsonText | undefined): readonly string[] => {
  if (text?.hasDuplicates !== true) return [];
  const paths = text.keys().flatMap(({ path, duplicate }) => (duplicate ? [`duplicate field "${path}"`] : []));
  return [...new Set(paths)].slice(0, mostRepeated);
};

const deepest = 1500;

/** The value with the keys of every object in order, the same one when they are. Throws RangeError for one nested too deeply. */
function sorted(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) throw new RangeError('nested too deeply');
  if (!isJsonObject(value)) return mapList(value, (item) => sorted(item, depth + 1));
  const given = Object.keys(value);
  const isSorted = isInOrder(given);
  const fields = isSorted ? given : [...given].sort();
  const inners = fields.map((field) => sorted(value[field] ?? null, depth + 1));
  if (isSorted && fields.every((field, at) => inners[at] === value[field])) return value;
  const copy: JsonObject = {};
  for (const [at, field] of fields.entries()) setOwn(copy, field, inners[at]);
  return copy;
}

function isInOrder(fields: readonly string[]): boolean {
  for (let at = 1; at < fields.length; at += 1) if ((fields[at - 1] ?? '') > (fields[at] ?? '')) return false;
  return true;
}
