import { validateMixedCaseLabel } from './definition/validate-parts.ts';
import {
  mapChanged,
  append,
  asObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { invalidValue, required, type FieldError } from '../../machinery/meta/field-error.ts';
import { isEmpty } from '../codec/stored-form.ts';
import { defaultRelease } from '../release/load-release.ts';
import type { TypeDecoded } from '../codec/decode.ts';
import { mapObject, childPath } from './prune.ts';
import { fieldSchema, type Structural } from './structural.ts';
import { pathSegmentName } from '../../machinery/meta/names.ts';
import { validateObjectMeta } from '../validation/meta/object-meta.ts';

/** `strict`: unknown metadata fields. */
export type CoerceResult =
  | { readonly outcome: 'coerced'; readonly value: JsonValue; readonly strict: readonly string[] }
  | { readonly outcome: 'refused'; readonly error: FieldError };

/**
 * Decodes embedded metadata as Go's ObjectMeta. Follows apiextensions-apiserver
 * pkg/apiserver/schema/objectmeta/algorithm.go.
 */
export function coerceEmbedded(value: JsonValue, schema: Structural, path = ''): CoerceResult {
  const run: CoerceState = { strict: new Set(), error: undefined, dropsInvalid: false };
  const coerced = coerce(value, schema, path, run);
  return run.error === undefined
    ? { outcome: 'coerced', value: coerced, strict: [...run.strict] }
    : { outcome: 'refused', error: run.error };
}

/** For stored values: metadata of a wrong type is dropped. */
export const coerceStoredValue = (value: JsonValue, schema: Structural): JsonValue =>
  coerce(value, schema, '', { strict: new Set(), error: undefined, dropsInvalid: true });

interface CoerceState {
  readonly strict: Set<string>;
  error: FieldError | undefined;
  readonly dropsInvalid: boolean;
}

function coerce(value: JsonValue, schema: Structural | undefined, path: string, run: CoerceState): JsonValue {
  if (schema === undefined || !schema.features.embedded || run.error !== undefined) return value;
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonObject(value)) return coerceObject(value, schema, path, run);
  return mapChanged(value, (item, index) => coerce(item, schema.items, `${path}[${index}]`, run));
}

function coerceObject(value: JsonObject, schema: Structural, path: string, run: CoerceState): JsonObject {
  return mapObject(value, (inner, field) => {
    const isProperty = schema.properties.has(field);
    const at = isProperty || schema.embedded ? childPath(path, field) : `${path}[${field}]`;
    const own = schema.embedded ? coerceMeta(inner, field, at, run) : inner;
    return own === undefined ? undefined : coerce(own, fieldSchema(schema, field), at, run);
  });
}

/** undefined drops the field. */
function coerceMeta(value: JsonValue, field: string, path: string, run: CoerceState): JsonValue | undefined {
  if (field === 'apiVersion' || field === 'kind') {
    if (typeof value === 'string') return value;
    if (run.dropsInvalid) return undefined;
    run.error ??= invalidValue(path, value, 'must be a string');
    return value;
  }
  if (field !== 'metadata') return value;
  const meta = decodeObjectMeta(value);
  if (meta.outcome === 'undecodable') {
    if (run.dropsInvalid) return isJsonObject(value) ? dropInvalidMetadata(value) : value;
    run.error ??= invalidValue(path, value, meta.error);
    return value;
  }
  for (const text of meta.strict) run.strict.add(text.replace('"', `"${path}.`));
  return meta.value;
}

/** Drops fields that do not decode as ObjectMeta. */
export function dropInvalidMetadata(meta: JsonObject): JsonObject {
  const whole = decodeObjectMeta(meta);
  if (whole.outcome === 'decoded') return asObject(whole.value);
  const fields = Object.entries(meta).filter(([field, value]) => {
    return decodeObjectMeta({ [field]: value }).outcome === 'decoded';
  });
  const read = decodeObjectMeta(Object.fromEntries(fields));
  return read.outcome === 'decoded' ? asObject(read.value) : {};
}

/**
 * ObjectMeta is the same in all releases; without empty lists and maps, as Go's JSON encoder prints it. Follows
 * apiextensions-apiserver pkg/apiserver/schema/objectmeta/coerce.go.
 */
export function decodeObjectMeta(value: JsonValue): TypeDecoded {
  const read = defaultRelease.codec.decodeType(value, 'meta.v1.ObjectMeta');
  if (read.outcome === 'undecodable' || !isJsonObject(read.value)) return read;
  const fields = Object.entries(read.value);
  const printed = fields.filter(([, item]) => item === undefined || !isEmpty(item));
  return printed.length === fields.length ? read : { ...read, value: Object.fromEntries(printed) };
}

/** Follows apiextensions-apiserver pkg/apiserver/schema/objectmeta/validation.go. */
export function validateEmbedded(
  value: JsonValue | undefined,
  schema: Structural | undefined,
  path = '',
): readonly FieldError[] {
  if (schema === undefined || !schema.features.embedded || typeof value !== 'object' || value === null) return [];
  const errors: FieldError[] = [];
  if (!isJsonObject(value)) {
    for (const [at, item] of value.entries()) {
      append(errors, validateEmbedded(item, schema.items, `${path}[${at}]`));
    }
    return errors;
  }
  if (schema.embedded) append(errors, validateEmbeddedResource(value, path));
  for (const field of Object.keys(value)) {
    const at = schema.properties.has(field) ? childPath(path, field) : `${path}[${field}]`;
    append(errors, validateEmbedded(value[field], fieldSchema(schema, field), at));
  }
  return errors;
}

function validateEmbeddedResource(resource: JsonObject, path: string): readonly FieldError[] {
  const { apiVersion, kind, metadata } = resource;
  const at = (field: string): string => childPath(path, field);
  return [
    ...(apiVersion === undefined ? [required(at('apiVersion'), '')] : []),
    ...(kind === undefined ? [required(at('kind'), '')] : []),
    ...(apiVersion === undefined ? [] : validateApiVersion(apiVersion, at('apiVersion'))),
    ...(kind === undefined ? [] : validateKind(kind, at('kind'))),
    ...(metadata === undefined ? [] : validateMetadata(metadata, at('metadata'))),
  ];
}

function validateApiVersion(value: JsonValue, path: string): readonly FieldError[] {
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')];
  if (value === '') return [invalidValue(path, value, 'must not be empty')];
  return value.split('/').length > 2 ? [invalidValue(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function validateKind(value: JsonValue, path: string): readonly FieldError[] {
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')];
  if (value === '') return [invalidValue(path, value, 'must not be empty')];
  return validateMixedCaseLabel(value, path);
}

function validateMetadata(value: JsonValue, path: string): readonly FieldError[] {
  const meta = decodeObjectMeta(value);
  if (meta.outcome === 'undecodable') return [invalidValue(path, value, meta.error)];
  const read = asObject(meta.value);
  const { name, namespace } = read;
  // The name is optional.
  const named = typeof name === 'string' && name !== '' ? read : { ...read, name: 'fakename' };
  return validateObjectMeta(named, typeof namespace === 'string' && namespace !== '', pathSegmentName, path);
}
