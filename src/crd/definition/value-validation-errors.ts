import { forbiddenField, invalidValue } from '../../apimachinery/field-error.ts';
import type { FieldError } from '../../apimachinery/field-error.ts';
import { asList, asObject, asString, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { compileRegex } from '../../cel/index.ts';
import { CelError } from '../../cel/vocabulary.ts';

/** The branches that an int-or-string may write out. */
interface Exceptions {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const none: Exceptions = { anyOf: false, firstAllOf: false };

/**
 * What stands under allOf, anyOf, oneOf and not, and the pattern.
 * Follows apiextensions-apiserver pkg/apiserver/schema/validation.go validateValueValidation.
 */
export function valueErrors(schema: JsonObject, path: string, exceptions = none): readonly FieldError[] {
  const branches = (field: string): readonly JsonObject[] => asList(schema[field]).map(asObject);
  const { not } = schema;
  return [
    ...(exceptions.anyOf
      ? []
      : branches('anyOf').flatMap((one, index) => nestedErrors(one, `${path}.anyOf[${index}]`))),
    ...branches('allOf').flatMap((one, index) =>
      nestedErrors(one, `${path}.allOf[${index}]`, { anyOf: exceptions.firstAllOf && index === 0, firstAllOf: false }),
    ),
    ...branches('oneOf').flatMap((one, index) => nestedErrors(one, `${path}.oneOf[${index}]`)),
    ...(isJsonObject(not) ? nestedErrors(not, `${path}.not`) : []),
    ...patternErrors(asString(schema['pattern']), `${path}.pattern`),
  ];
}

function patternErrors(pattern: string, path: string): readonly FieldError[] {
  if (pattern === '') return [];
  const compiled = compileRegex(pattern);
  if (!(compiled instanceof CelError)) return [];
  return [invalidValue(path, pattern, `must be a valid regular expression, but isn't: ${compiled.message}`)];
}

/** What belongs to the structure and must not stand in a branch: the field, when it counts as set, the complaint. */
const structure: readonly (readonly [field: string, isSet: (value: JsonValue) => boolean, complaint: string])[] = [
  ['type', (value) => value !== '', 'must be empty to be structural'],
  ['additionalProperties', () => true, 'must be undefined to be structural'],
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

function nestedErrors(schema: JsonObject, path: string, exceptions = none): readonly FieldError[] {
  const { items } = schema;
  const properties = asObject(schema['properties']);
  return [
    ...valueErrors(schema, path, exceptions),
    ...(isJsonObject(items) ? nestedErrors(items, `${path}.items`) : []),
    ...Object.keys(properties).flatMap((name) =>
      nestedErrors(asObject(properties[name]), `${path}.properties[${name}]`),
    ),
    ...structure.flatMap(([field, isSet, complaint]) => {
      const value = schema[field];
      return value !== undefined && isSet(value) ? [forbiddenField(`${path}.${field}`, complaint)] : [];
    }),
    ...(Object.hasOwn(properties, 'metadata')
      ? [forbiddenField(`${path}.properties[metadata]`, 'must not be specified in a nested context')]
      : []),
  ];
}
