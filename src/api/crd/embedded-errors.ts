import { append } from '../../machinery/json/append.ts';
import { invalidValue, required, type FieldError } from '../../machinery/meta/field-error.ts';
import { asObject, isJsonObject, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { dns1035Label, pathSegmentName } from '../../machinery/meta/names.ts';
import { validateObjectMeta } from '../validation/meta/object-meta.ts';
import { childPath, readObjectMeta } from './embedded.ts';
import { fieldSchema, type Structural } from './structural.ts';

/** Follows apiextensions-apiserver pkg/apiserver/schema/objectmeta/validation.go. */
export function embeddedErrors(
  value: JsonValue | undefined,
  schema: Structural | undefined,
  path = '',
): readonly FieldError[] {
  if (schema === undefined || !schema.holds.embedded || typeof value !== 'object' || value === null) return [];
  const errors: FieldError[] = [];
  if (!isJsonObject(value)) {
    for (const [at, item] of value.entries()) {
      append(errors, embeddedErrors(item, schema.items, `${path}[${at}]`));
    }
    return errors;
  }
  if (schema.embedded) append(errors, resourceErrors(value, path));
  for (const field of Object.keys(value)) {
    const at = schema.properties.has(field) ? childPath(path, field) : `${path}[${field}]`;
    append(errors, embeddedErrors(value[field], fieldSchema(schema, field), at));
  }
  return errors;
}

function resourceErrors(resource: JsonObject, path: string): readonly FieldError[] {
  const { apiVersion, kind, metadata } = resource;
  const at = (field: string): string => childPath(path, field);
  return [
    ...(apiVersion === undefined ? [required(at('apiVersion'), '')] : []),
    ...(kind === undefined ? [required(at('kind'), '')] : []),
    ...(apiVersion === undefined ? [] : apiVersionErrors(apiVersion, at('apiVersion'))),
    ...(kind === undefined ? [] : kindErrors(kind, at('kind'))),
    ...(metadata === undefined ? [] : metadataErrors(metadata, at('metadata'))),
  ];
}

function apiVersionErrors(value: JsonValue, path: string): readonly FieldError[] {
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')];
  if (value === '') return [invalidValue(path, value, 'must not be empty')];
  return value.split('/').length > 2 ? [invalidValue(path, value, `unexpected GroupVersion string: ${value}`)] : [];
}

function kindErrors(value: JsonValue, path: string): readonly FieldError[] {
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')];
  if (value === '') return [invalidValue(path, value, 'must not be empty')];
  const errors = dns1035Label(value.toLowerCase());
  if (errors.length === 0) return [];
  return [invalidValue(path, value, `may have mixed case, but should otherwise match: ${errors.join(',')}`)];
}

function metadataErrors(value: JsonValue, path: string): readonly FieldError[] {
  const meta = readObjectMeta(value);
  if (meta.outcome === 'undecodable') return [invalidValue(path, value, meta.error)];
  const read = asObject(meta.value);
  const { name, namespace } = read;
  // The name is optional.
  const named = typeof name === 'string' && name !== '' ? read : { ...read, name: 'fakename' };
  return validateObjectMeta(named, typeof namespace === 'string' && namespace !== '', pathSegmentName, path);
}
