import { trimSpace } from '../../../machinery/go/strings.ts';
import {
  append,
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import {
  type FieldError,
  forbiddenField,
  invalidValue,
  notSupported,
  notSupportedText,
  required,
} from '../../../machinery/meta/field-error.ts';
import { parseFieldPath } from '../instances/rule-field-path.ts';
import { readStructural } from '../structural.ts';
import { validateListSchema, type SchemaStrictness } from './validate-list-schema.ts';
import { structuralConversionError } from './schema-walk.ts';

interface SchemaSite extends SchemaStrictness {
  readonly path: string;
  readonly isRoot: boolean;
  /** undefined where a default is allowed. */
  readonly noDefault: string | undefined;
  readonly inMeta: boolean;
}

/**
 * Follows apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go
 * ValidateCustomResourceDefinitionOpenAPISchema.
 */
export const validateOpenApiSchema = (
  schema: JsonObject,
  path: string,
  strictness: SchemaStrictness,
): readonly FieldError[] =>
  validateSchemaNode(schema, { ...strictness, path, isRoot: true, noDefault: undefined, inMeta: false });

function validateSchemaNode(schema: JsonObject, place: SchemaSite): readonly FieldError[] {
  const { path } = place;
  const errors = [...validateStandardFields(schema, place)];
  if (schema['uniqueItems'] === true) errors.push(forbiddenField(`${path}.uniqueItems`, quadraticText));
  for (const [child, at] of listChildren(schema, place, errors)) append(errors, validateSchemaNode(child, at));
  append(errors, validateExtensions(schema, path));
  append(errors, validateListSchema(schema, path, place));
  append(
    errors,
    asList(schema['x-kubernetes-validations']).flatMap((rule, index) =>
      validateRuleFields(asObject(rule), schema, `${path}.x-kubernetes-validations[${index}]`),
    ),
  );
  return errors;
}

type Child = readonly [schema: JsonObject, place: SchemaSite];

/** In upstream's order; errors about the nesting are pushed before the child's. */
function* listChildren(schema: JsonObject, place: SchemaSite, errors: FieldError[]): Iterable<Child> {
  yield* listAdditionalProperties(schema, place, errors);
  yield* listProperties(schema, place);
  yield* listBranches(schema, place);
  yield* listItems(schema['items'], place);
}

const quadraticText = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

const unsupportedFields = [
  'id',
  'additionalItems',
  'patternProperties',
  'definitions',
  'dependencies',
  '$ref',
] as const;

function validateStandardFields(
  schema: JsonObject,
  { path, knownTypes, noDefault, inMeta }: SchemaSite,
): readonly FieldError[] {
  const type = asString(schema['type']);
  const fallback = schema['default'];
  return [
    ...(knownTypes && type !== '' && !types.includes(type) ? [notSupportedText(`${path}.type`, type, types)] : []),
    ...(fallback !== undefined && fallback !== null && noDefault !== undefined
      ? [forbiddenField(`${path}.default`, `must not be set ${noDefault}`)]
      : []),
    ...unsupportedFields.flatMap((field) =>
      isSet(schema[field], field) ? [forbiddenField(`${path}.${field}`, `${field} is not supported`)] : [],
    ),
    ...(type === 'null'
      ? [forbiddenField(`${path}.type`, 'type cannot be set to null, use nullable as an alternative')]
      : []),
    ...(asList(schema['items']).length > 0
      ? [forbiddenField(`${path}.items`, 'items must be a schema object and not an array')]
      : []),
    ...(inMeta && schema['x-kubernetes-embedded-resource'] === true
      ? [forbiddenField(`${path}.x-kubernetes-embedded-resource`, 'must not be used inside of resource meta')]
      : []),
  ];
}

/** An empty map counts as unset in two fields; `$ref` is a pointer: an empty one is set. */
const isSet = (value: JsonValue | undefined, field: string): boolean =>
  value !== undefined &&
  value !== null &&
  (value !== '' || field === '$ref') &&
  (!mapFields.includes(field) || Object.keys(asObject(value)).length > 0);

const mapFields = ['patternProperties', 'definitions'];

function* listAdditionalProperties(schema: JsonObject, place: SchemaSite, errors: FieldError[]): Iterable<Child> {
  const { additionalProperties: child } = schema;
  if (child === undefined || child === null) return;
  const path = `${place.path}.additionalProperties`;
  const hasProperties = Object.keys(asObject(schema['properties'])).length > 0;
  if (hasProperties && child !== true) {
    errors.push(forbiddenField(path, 'additionalProperties and properties are mutual exclusive'));
  }
  const noDefault = place.inMeta ? 'inside additionalProperties applying to object metadata' : place.noDefault;
  if (isJsonObject(child)) yield [child, { ...place, path, isRoot: false, noDefault }];
}

const metaFields: ReadonlySet<string> = new Set(['metadata', 'kind', 'apiVersion']);

function* listProperties(schema: JsonObject, place: SchemaSite): Iterable<Child> {
  const properties = asObject(schema['properties']);
  const isResource = place.isRoot || schema['x-kubernetes-embedded-resource'] === true;
  for (const name of Object.keys(properties).toSorted()) {
    const isMeta = isResource && metaFields.has(name);
    yield [
      asObject(properties[name]),
      {
        ...place,
        path: `${place.path}.properties[${name}]`,
        isRoot: false,
        inMeta: place.inMeta || isMeta,
        noDefault: isMeta && place.isRoot ? `in top-level ${name}` : place.noDefault,
      },
    ];
  }
}

function* listBranches(schema: JsonObject, place: SchemaSite): Iterable<Child> {
  const { not } = schema;
  const at = (step: string): SchemaSite => ({ ...place, path: `${place.path}.${step}`, isRoot: false });
  if (isJsonObject(not)) yield [not, at('not')];
  for (const field of ['allOf', 'oneOf', 'anyOf']) {
    for (const [index, branch] of asList(schema[field]).entries()) yield [asObject(branch), at(`${field}[${index}]`)];
  }
}

function* listItems(json: JsonValue | undefined, place: SchemaSite): Iterable<Child> {
  const path = `${place.path}.items`;
  if (isJsonObject(json)) yield [json, { ...place, path, isRoot: false }];
  for (const [index, item] of asList(json).entries()) {
    yield [asObject(item), { ...place, path: `${path}[${index}]`, isRoot: false }];
  }
}

function validateExtensions(schema: JsonObject, path: string): readonly FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  const type = asString(schema['type']);
  const errors: FieldError[] = [];
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(invalidValue(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  if (typeof mapType !== 'string') return errors;
  if (type !== 'object') {
    const detail = 'must be object if x-kubernetes-map-type is specified';
    errors.push(type === '' ? required(`${path}.type`, detail) : invalidValue(`${path}.type`, type, detail));
  }
  if (mapType !== 'atomic' && mapType !== 'granular') {
    errors.push(notSupportedText(`${path}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
  }
  return errors;
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** Checks a rule without compiling it. */
function validateRuleFields(rule: JsonObject, schema: JsonObject, path: string): readonly FieldError[] {
  const { reason } = rule;
  const expression = asString(rule['messageExpression']);
  return [
    ...validateRuleAndMessage(trimSpace(asString(rule['rule'])), asString(rule['message']), path),
    ...(expression !== '' && trimSpace(expression) === ''
      ? [required(`${path}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(typeof reason === 'string' && !reasons.includes(reason)
      ? [notSupported(`${path}.reason`, reason, reasons)]
      : []),
    ...validateRuleFieldPath(asString(rule['fieldPath']), schema, `${path}.fieldPath`),
  ];
}

const lineBreak = /[\n\r]/;

/** Reports the first error only. */
function validateRuleAndMessage(rule: string, message: string, path: string): readonly FieldError[] {
  const trimmed = trimSpace(message);
  if (rule === '') return [required(`${path}.rule`, 'rule is not specified')];
  if (message !== '' && trimmed === '')
    return [invalidValue(`${path}.message`, message, 'must be non-empty if specified')];
  if (lineBreak.test(trimmed)) return [invalidValue(`${path}.message`, message, 'must not contain line breaks')];
  return lineBreak.test(rule) && trimmed === ''
    ? [required(`${path}.message`, 'message must be specified if rule contains line breaks')]
    : [];
}

function validateRuleFieldPath(fieldPath: string, schema: JsonObject, path: string): readonly FieldError[] {
  if (fieldPath === '') return [];
  return [
    ...(trimSpace(fieldPath) === '' ? [invalidValue(path, fieldPath, 'must be non-empty if specified')] : []),
    ...(lineBreak.test(fieldPath) ? [invalidValue(path, fieldPath, 'must not contain line breaks')] : []),
    ...(parseFieldPath(fieldPath, readStructural(schema)).outcome === 'wrong' &&
    structuralConversionError(schema) === undefined
      ? [invalidValue(path, fieldPath, 'must be a valid path')]
      : []),
  ];
}
