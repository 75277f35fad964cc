import {
  append,
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { forbiddenField, invalidValue, type FieldError } from '../../../machinery/meta/field-error.ts';
import { compileRegex } from '../../../cel/index.ts';
import { CelError } from '../../../cel/vocabulary.ts';

/** Branches that an int-or-string may spell out. */
interface IntOrStringExceptions {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const noExceptions: IntOrStringExceptions = { anyOf: false, firstAllOf: false };

/** Follows apiextensions-apiserver pkg/apiserver/schema/validation.go validateValueValidation. */
export function validateValueValidation(
  schema: JsonObject,
  path: string,
  exceptions = noExceptions,
): readonly FieldError[] {
  const { not } = schema;
  const errors: FieldError[] = [];
  for (const field of exceptions.anyOf ? ['allOf', 'oneOf'] : ['anyOf', 'allOf', 'oneOf']) {
    for (const [index, branch] of asList(schema[field]).entries()) {
      const isExcepted = field === 'allOf' && index === 0 && exceptions.firstAllOf;
      const inner = isExcepted ? { anyOf: true, firstAllOf: false } : noExceptions;
      append(errors, validateNestedValueValidation(asObject(branch), `${path}.${field}[${index}]`, inner));
    }
  }
  if (isJsonObject(not)) append(errors, validateNestedValueValidation(not, `${path}.not`));
  append(errors, validatePattern(asString(schema['pattern']), `${path}.pattern`));
  return errors;
}

function validatePattern(pattern: string, path: string): readonly FieldError[] {
  if (pattern === '') return [];
  const compiled = compileRegex(pattern);
  if (!(compiled instanceof CelError)) return [];
  return [invalidValue(path, pattern, `must be a valid regular expression, but isn't: ${compiled.message}`)];
}

/** Structural fields that a branch must not set. */
const structuralFields: readonly (readonly [field: string, isSet: (value: JsonValue) => boolean, message: string])[] = [
  ['type', (value) => value !== '', 'must be empty to be structural'],
  ['additionalProperties', (value) => value !== false, 'must be undefined to be structural'],
  ['default', (value) => value !== null, 'must be undefined to be structural'],
  ['title', (value) => value !== '', 'must be empty to be structural'],
  ['description', (value) => value !== '', 'must be empty to be structural'],
  ['nullable', (value) => value === true, 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', (value) => value === true, 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', (value) => value === true, 'must be false to be structural'],
  ['x-kubernetes-int-or-string', (value) => value === true, 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', (value) => asList(value).length > 0, 'must be empty to be structural'],
  ['x-kubernetes-list-type', (value) => value !== null, 'must be undefined to be structural'],
  ['x-kubernetes-map-type', (value) => value !== null, 'must be undefined to be structural'],
  ['x-kubernetes-validations', (value) => asList(value).length > 0, 'must be empty to be structural'],
];

function validateNestedValueValidation(
  schema: JsonObject,
  path: string,
  exceptions = noExceptions,
): readonly FieldError[] {
  const { items } = schema;
  const properties = asObject(schema['properties']);
  const errors = [...validateValueValidation(schema, path, exceptions)];
  if (isJsonObject(items)) append(errors, validateNestedValueValidation(items, `${path}.items`));
  for (const name of Object.keys(properties)) {
    append(errors, validateNestedValueValidation(asObject(properties[name]), `${path}.properties[${name}]`));
  }
  for (const [field, isSet, message] of structuralFields) {
    const value = schema[field];
    if (value !== undefined && isSet(value)) errors.push(forbiddenField(`${path}.${field}`, message));
  }
  if (Object.hasOwn(properties, 'metadata')) {
    errors.push(forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  return errors;
}
