import { plainValue, type JsonText } from '../../machinery/json/json-reader.ts';
import {
  mapChanged,
  asObject,
  asString,
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  setOwn,
} from '../../machinery/json/json.ts';
import { tooLargeNumber, tooLargeNumberIn } from '../../machinery/json/too-large-number.ts';
import { fieldErrorText, goQuote, type FieldError } from '../../machinery/meta/field-error.ts';
import { apiVersionOf, parseApiVersion, type GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { qualifiedNameErrors } from '../../machinery/meta/names.ts';
import { asKubernetesObject, metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import { createCustomValueType } from '../apply/custom-value-type.ts';
import type { ValueType } from '../apply/value-type.ts';
import type { Decoded } from '../codec/decode.ts';
import { withDefaults, pruneNulls } from './defaults.ts';
import { versionSchema, findVersion } from './definition/internal-spec.ts';
import { coerceEmbedded, coerceStoredValue, dropInvalidMetadata, decodeObjectMeta } from './embedded.ts';
import { getRuleNode, type ValidationResult } from './instances/run-rules.ts';
import { readScaleSubresource, validateInstance } from './instances/validate-instance.ts';
import { pruneUnknownFields } from './prune.ts';
import { readStructural, type Structural } from './structural.ts';

/** One version of a definition. Its parts are built when first used. */
export interface CustomType {
  readonly kind: GroupVersionKind;
  /** Pruned, without defaults; `strict` lists dropped and duplicate fields. */
  readonly decode: (text: JsonText) => Decoded;
  readonly decodeValue: (value: JsonDocument) => Decoded;
  /** The result of a server-side apply. */
  readonly decodeMerged: (value: JsonValue) => Decoded;
  readonly applyDefaults: (object: KubernetesObject) => KubernetesObject;
  /** Prunes an object from storage or a converter. */
  readonly prune: (object: KubernetesObject) => KubernetesObject;
  /** `metadataErrors` are reported first and, with the others, decide whether rules run. */
  readonly validate: (object: KubernetesObject, metadataErrors?: readonly FieldError[]) => ValidationResult;
  readonly validateUpdate: ValidateInstance;
  readonly validateStatusUpdate: ValidateInstance;
  /** Warnings about new finalizers. */
  readonly warnings: (object: KubernetesObject, old?: KubernetesObject) => readonly string[];
  readonly valueType: () => ValueType;
}

type ValidateInstance = (
  object: KubernetesObject,
  old: KubernetesObject,
  metadataErrors?: readonly FieldError[],
) => ValidationResult;

/** Once per definition: each object would compile the rules of its schema again. */
const customTypes = new WeakMap<JsonObject, Map<string, CustomType>>();

/** undefined for an unknown version. Cached per definition object. */
export function customType(definition: JsonObject, version: string): CustomType | undefined {
  const known = customTypes.get(definition) ?? new Map<string, CustomType>();
  customTypes.set(definition, known);
  const found = known.get(version) ?? createCustomType(definition, version);
  if (found !== undefined) known.set(version, found);
  return found;
}

/** The schema with `preserveUnknownFields`. Follows customresource_handler.go. */
const preserveUnknownSchema: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function createCustomType(definition: JsonObject, name: string): CustomType | undefined {
  const version = findVersion(definition, name);
  if (version === undefined) return undefined;
  const spec = asObject(definition['spec']);
  const kind = { group: asString(spec['group']), version: name, kind: asString(asObject(spec['names'])['kind']) };
  const json = versionSchema(version);
  const keepsAll = spec['preserveUnknownFields'] === true;
  const schemaOfVersion = (other: string): JsonObject =>
    keepsAll ? preserveUnknownSchema : versionSchema(findVersion(definition, other));
  let valueType: ValueType | undefined;
  const validators = {
    kind,
    scale: readScaleSubresource(version),
    get schema() {
      return readStructural(json);
    },
    rules: () => getRuleNode(readStructural(json), true),
  };
  return {
    kind,
    decode: (text) => decodeCustom(text.value, kind, schemaOfVersion, text),
    decodeValue: (value) => decodeCustom(value, kind, schemaOfVersion),
    decodeMerged: (value) => catchTooDeep(() => decodeMerged(value, kind)),
    applyDefaults: (object) => applyDefaults(object, readStructural(json)),
    prune: (object) => pruneStored(object, keepsAll ? preserveUnknownSchema : json),
    validate: (object, metadataErrors) => validateInstance(validators, { object, metadataErrors }),
    validateUpdate: (object, old, metadataErrors) => validateInstance(validators, { object, old, metadataErrors }),
    validateStatusUpdate: (object, old, metadataErrors) =>
      validateInstance(validators, { object, old, metadataErrors, ofStatus: true }),
    warnings: finalizerWarnings,
    valueType: () => (valueType ??= createCustomValueType(keepsAll ? preserveUnknownSchema : json)),
  };
}

/**
 * Defaults, then coercion of embedded metadata. Follows apiextensions-apiserver pkg/apiserver/customresource_handler.go
 * schemaCoercingDecoder.
 */
const applyDefaults = (object: KubernetesObject, schema: Structural): KubernetesObject =>
  coerceStoredValue(withDefaults(object, schema), schema) as KubernetesObject; // Still whole.

function pruneStored(object: KubernetesObject, json: JsonObject): KubernetesObject {
  const schema = readStructural(json);
  return coerceStoredValue(pruneNulls(pruneUnknownFields(object, schema), schema), schema) as KubernetesObject; // Still whole.
}

const standardFinalizers: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

const formatFinalizerAdvice = (name: string): string => {
  const lacking = name.includes('.') ? ' including a path (/)' : '';
  return `prefer a domain-qualified finalizer name${lacking} to avoid accidental conflicts with other finalizer writers`;
};

/**
 * Warnings about new finalizers. Follows apiextensions-apiserver pkg/registry/customresource/{strategy,validator}.go.
 */
export function finalizerWarnings(object: KubernetesObject, old?: KubernetesObject): readonly string[] {
  const before = new Set(old && metadataOf(old).finalizers);
  const added = [...new Set(metadataOf(object).finalizers)].filter((name) => !before.has(name));
  return added.toSorted().flatMap((name) => {
    const wrong = name.includes('/') || standardFinalizers.has(name) ? [] : [formatFinalizerAdvice(name)];
    return [...qualifiedNameErrors(name), ...wrong].map((text) => `metadata.finalizers: ${goQuote(name)}: ${text}`);
  });
}

/** By version; `{}` for an unknown one. */
type SchemaOf = (version: string) => JsonObject;

/**
 * Decodes metadata as Go does, prunes, sorts keys; no defaults. Follows apiextensions-apiserver
 * pkg/apiserver/customresource_handler.go.
 */
const decodeCustom = (document: JsonDocument, kind: GroupVersionKind, schemaOf: SchemaOf, text?: JsonText): Decoded =>
  catchTooDeep(() => decodeDocument(document, kind, schemaOf, text));

/** Go allows 10000 levels, the JavaScript stack fewer. */
function catchTooDeep(read: () => Decoded): Decoded {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof RangeError) return { outcome: 'undecodable', error: 'exceeded max depth' };
    throw thrown;
  }
}

function decodeDocument(document: JsonDocument, kind: GroupVersionKind, schemaOf: SchemaOf, text?: JsonText): Decoded {
  const plain = plainValue(document);
  const fault = text ? tooLargeNumberIn(text) : plain === document ? undefined : tooLargeNumber(document);
  if (fault !== undefined) return { outcome: 'undecodable', error: fault };
  const value = sortKeys(plain, 0);
  if (!isJsonObject(value)) return { outcome: 'undecodable', error: formatNotAnObject(value) };
  const meta = decodeObjectMeta(value['metadata'] ?? null);
  if (meta.outcome === 'undecodable') return meta;
  const whole = withTypeMeta(value, kind, 'metadata' in value ? meta.value : {});
  const { group, version } = parseApiVersion(whole.apiVersion);
  const schema = readStructural(group === kind.group ? schemaOf(version) : {});
  return pruneAndCoerce(whole, schema, [...listDuplicateFields(text), ...prefixMetadata(meta.strict)]);
}

/**
 * Neither pruned nor stripped of nulls: it was merged by its schema. A time that is none is dropped: the server sets its
 * own. Follows apimachinery pkg/util/managedfields/internal/structuredmerge.go Apply.
 */
function decodeMerged(merged: JsonValue, kind: GroupVersionKind): Decoded {
  const value = sortKeys(merged, 0);
  if (!isJsonObject(value)) return { outcome: 'undecodable', error: formatNotAnObject(value) };
  const object = asKubernetesObject(withTypeMeta(value, kind, dropInvalidMetadata(asObject(value['metadata']))));
  if (object === undefined) throw new Error('a custom resource without kind or apiVersion');
  return { outcome: 'decoded', object, strict: [] };
}

function pruneAndCoerce(resource: JsonObject, schema: Structural, strict: readonly string[]): Decoded {
  const unknown = new Set<string>();
  const pruned = pruneUnknownFields(resource, schema, (path) => unknown.add(path));
  const coerced = coerceEmbedded(pruneNulls(pruned, schema), schema);
  if (coerced.outcome === 'refused') return { outcome: 'undecodable', error: fieldErrorText(coerced.error) };
  const object = asKubernetesObject(coerced.value);
  if (object === undefined) throw new Error('a custom resource without kind or apiVersion');
  const paths = [...unknown].sort().map((path) => `unknown field "${path}"`);
  return { outcome: 'decoded', object, strict: [...strict, ...paths, ...coerced.strict] };
}

function withTypeMeta(value: JsonObject, kind: GroupVersionKind, metadata: JsonValue) {
  const { apiVersion, kind: sent } = value;
  const head = {
    apiVersion: typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : apiVersionOf(kind),
    kind: typeof sent === 'string' && sent !== '' ? sent : kind.kind,
    metadata,
  };
  return { ...head, ...value, ...head };
}

const formatNotAnObject = (value: JsonValue): string => {
  const found = Array.isArray(value) ? 'array' : typeof value === 'string' ? 'string' : 'number';
  return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;
};

const prefixMetadata = (strict: readonly string[]): readonly string[] =>
  strict.map((strictError) => strictError.replace('"', '"metadata.'));

const maxDuplicates = 100;

const listDuplicateFields = (text: JsonText | undefined): readonly string[] => {
  if (text?.hasDuplicates !== true) return [];
  const paths = text.keys().flatMap(({ path, duplicate }) => (duplicate ? [`duplicate field "${path}"`] : []));
  return [...new Set(paths)].slice(0, maxDuplicates);
};

const maxDepth = 1500;

/** Sorts keys recursively; the same value if sorted. Throws RangeError when nested too deeply. */
function sortKeys(value: JsonValue, depth: number): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw new RangeError('nested too deeply');
  if (!isJsonObject(value)) return mapChanged(value, (item) => sortKeys(item, depth + 1));
  const given = Object.keys(value);
  const isSorted = areSorted(given);
  const fields = isSorted ? given : [...given].sort();
  const inners = fields.map((field) => sortKeys(value[field] ?? null, depth + 1));
  if (isSorted && fields.every((field, at) => inners[at] === value[field])) return value;
  const copy: JsonObject = {};
  for (const [at, field] of fields.entries()) setOwn(copy, field, inners[at]);
  return copy;
}

function areSorted(fields: readonly string[]): boolean {
  for (let at = 1; at < fields.length; at += 1) if ((fields[at - 1] ?? '') > (fields[at] ?? '')) return false;
  return true;
}
