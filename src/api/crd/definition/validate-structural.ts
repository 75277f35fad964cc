import {
  append,
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import {
  type FieldError,
  fieldErrorText,
  forbiddenField,
  invalidValue,
  required,
} from '../../../machinery/meta/field-error.ts';
import { listSetFields } from './format-go-structs.ts';
import { validateValueValidation } from './validate-value-validation.ts';

/** Sorted by text. Follows apiextensions-apiserver pkg/apiserver/schema/validation.go. */
export function validateStructural(schema: JsonObject, path: string): readonly FieldError[] {
  const errors = validateStructuralInvariants(schema, 'root', path);
  append(errors, validateBranches(schema, schema, { structural: path, value: path }));
  return errors
    .map((error) => ({ error, text: fieldErrorText(error) }))
    .toSorted((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
    .map(({ error }) => error);
}

function validateStructuralInvariants(schema: JsonObject, level: Level, path: string): FieldError[] {
  const { items, additionalProperties: additional, type } = schema;
  const properties = asObject(schema['properties']);
  const errors: FieldError[] = [];
  if (type === 'array' && !isJsonObject(items) && !Array.isArray(items)) {
    errors.push(required(`${path}.items`, 'must be specified'));
  }
  if (isJsonObject(items)) append(errors, validateStructuralInvariants(items, 'item', `${path}.items`));
  for (const name of Object.keys(properties)) {
    append(errors, validateStructuralInvariants(asObject(properties[name]), 'field', `${path}.properties[${name}]`));
  }
  if (additional !== undefined && level === 'root') {
    errors.push(forbiddenField(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  if (isJsonObject(additional)) {
    append(errors, validateStructuralInvariants(additional, 'field', `${path}.additionalProperties`));
  }
  append(errors, validateIntOrStringExtensions(schema, path));
  append(errors, validateValueValidation(schema, path, intOrStringExceptions(schema)));
  append(errors, validateType(schema, level, path));
  append(errors, validateResourceProperties(schema, level, path));
  append(errors, validateEmbeddedProperties(schema, path));
  return errors;
}

const isIntOrStringSchema = (schema: JsonObject): boolean => schema['x-kubernetes-int-or-string'] === true;
const isEmbedded = (schema: JsonObject): boolean => schema['x-kubernetes-embedded-resource'] === true;
const preservesUnknownFields = (schema: JsonObject): boolean => schema['x-kubernetes-preserve-unknown-fields'] === true;

function validateIntOrStringExtensions(schema: JsonObject, path: string): readonly FieldError[] {
  if (!isIntOrStringSchema(schema)) return [];
  const detail = 'must be false if x-kubernetes-int-or-string is true';
  return [
    ...(preservesUnknownFields(schema)
      ? [invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, true, detail)]
      : []),
    ...(isEmbedded(schema) ? [invalidValue(`${path}.x-kubernetes-embedded-resource`, true, detail)] : []),
  ];
}

const intOrString: JsonValue = [{ type: 'integer' }, { type: 'string' }];

/** An int-or-string may spell out its anyOf, directly or in the first allOf. */
function intOrStringExceptions(schema: JsonObject) {
  const [first] = asList(schema['allOf']).map(asObject);
  return {
    anyOf: isIntOrString(schema['anyOf']),
    firstAllOf: first !== undefined && isIntOrString(first['anyOf']),
  };
}

/** Upstream drops `additionalProperties: false` of a branch: schema/convert.go newNestedValueValidation. */
const isIntOrString = (anyOf: JsonValue | undefined): boolean =>
  sameJson(
    asList(anyOf).map((branch) => {
      const { additionalProperties, ...others } = asObject(branch);
      return additionalProperties === false ? others : branch;
    }),
    intOrString,
  );

const missingTypeTexts: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function validateType(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const type = asString(schema['type']);
  const errors: FieldError[] = [];
  if (isEmbedded(schema) && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, type, detail));
  } else if (type === '' && !isIntOrStringSchema(schema) && !preservesUnknownFields(schema)) {
    errors.push(required(`${path}.type`, missingTypeTexts[level]));
  }
  if (isEmbedded(schema) && schema['additionalProperties'] !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbiddenField(`${path}.additionalProperties`, detail));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalidValue(`${path}.type`, type, 'must be object at the root'));
  }
  return errors;
}

function validateEmbeddedProperties(schema: JsonObject, path: string): readonly FieldError[] {
  if (!isEmbedded(schema) || preservesUnknownFields(schema) || Object.keys(asObject(schema['properties'])).length > 0)
    return [];
  const detail =
    'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
  return [required(`${path}.properties`, detail)];
}

/** Follows apiextensions-apiserver pkg/apiserver/schema/validation.go. */
function validateResourceProperties(schema: JsonObject, level: Level, path: string): readonly FieldError[] {
  const { kind, apiVersion, metadata } = asObject(schema['properties']);
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const at = (name: string): string => `${path}.properties[${name}]`;
  return [
    ...(isResource && isJsonObject(kind) ? validateStringType(kind, at('kind')) : []),
    ...(isResource && isJsonObject(apiVersion) ? validateStringType(apiVersion, at('apiVersion')) : []),
    ...(isResource && isJsonObject(metadata) && metadata['type'] !== 'object'
      ? [invalidValue(`${at('metadata')}.type`, asString(metadata['type']), 'must be object')]
      : []),
    ...(level === 'root' && isJsonObject(metadata) && hasOtherFields(metadata)
      ? [forbiddenField(at('metadata'), onlyNamesText)]
      : []),
  ];
}

const onlyNamesText =
  'must not specify anything other than name and generateName, but metadata is implicitly specified';

const validateStringType = ({ type }: JsonObject, path: string): readonly FieldError[] =>
  type === 'string' ? [] : [invalidValue(`${path}.type`, asString(type), 'must be string')];

/** Only type, default, and the properties name and generateName are allowed. */
function hasOtherFields(metadata: JsonObject): boolean {
  const names = Object.keys(asObject(metadata['properties']));
  const allowed = [
    'Type',
    'Default',
    ...(names.every((name) => name === 'name' || name === 'generateName') ? ['Properties'] : []),
  ];
  return listSetFields(metadata).some((field) => !allowed.includes(field));
}

type Level = 'root' | 'item' | 'field';

interface Paths {
  readonly structural: string;
  readonly value: string;
}

/** Fields under allOf, anyOf, oneOf or not must be in the schema itself. Follows pkg/apiserver/schema/complete.go. */
function validateBranches(value: JsonObject, schema: JsonObject, paths: Paths): readonly FieldError[] {
  const { not } = value;
  const errors: FieldError[] = [];
  const inside = (branch: JsonObject, step: string): readonly FieldError[] =>
    validateNestedCompleteness(branch, schema, { ...paths, value: `${paths.value}.${step}` });
  if (isJsonObject(not)) append(errors, inside(not, 'not'));
  for (const field of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, branch] of asList(value[field]).entries()) {
      append(errors, inside(asObject(branch), `${field}[${index}]`));
    }
  }
  return errors;
}

function validateNestedCompleteness(
  value: JsonObject,
  schema: JsonObject | undefined,
  paths: Paths,
): readonly FieldError[] {
  if (schema === undefined) return [required(paths.structural, `because it is defined in ${paths.value}`)];
  const { items } = value;
  const { items: own } = schema;
  const properties = asObject(value['properties']);
  const known = asObject(schema['properties']);
  const errors = [...validateBranches(value, schema, paths)];
  if (isJsonObject(items)) {
    append(errors, validateNestedCompleteness(items, isJsonObject(own) ? own : undefined, at(paths, 'items')));
  }
  for (const name of Object.keys(properties)) {
    const property = Object.hasOwn(known, name) ? known[name] : undefined;
    const of = isJsonObject(property) ? property : undefined;
    append(errors, validateNestedCompleteness(asObject(properties[name]), of, at(paths, `properties[${name}]`)));
  }
  return errors;
}

const at = ({ structural, value }: Paths, step: string): Paths => ({
  structural: `${structural}.${step}`,
  value: `${value}.${step}`,
});
