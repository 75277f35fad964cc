import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import type { InternalVersion } from './internal-spec.ts';

/** As Go's error texts print the structs. */
export const formatVersions = (versions: readonly InternalVersion[] | null): JsonValue =>
  versions === null ? null : versions.map(formatVersion);

function formatVersion(version: InternalVersion): JsonValue {
  const { schema, subresources, columns, selectableFields } = version;
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: schema === undefined ? null : { OpenAPIV3Schema: formatSchema(schema) },
    Subresources: subresources === undefined ? null : formatSubresources(subresources),
    AdditionalPrinterColumns: columns.length === 0 ? null : columns.map((column) => formatColumn(asObject(column))),
    SelectableFields:
      selectableFields.length === 0
        ? null
        : selectableFields.map((field) => ({ JSONPath: asString(asObject(field)['jsonPath']) })),
  };
}

function formatSubresources({ status, scale }: JsonObject): JsonValue {
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = asObject(scale);
  return {
    Status: isJsonObject(status) ? {} : null,
    Scale: isJsonObject(scale)
      ? {
          SpecReplicasPath: asString(specReplicasPath),
          StatusReplicasPath: asString(statusReplicasPath),
          LabelSelectorPath: labelSelectorPath ?? null,
        }
      : null,
  };
}

const formatColumn = (column: JsonObject): JsonValue => ({
  Name: asString(column['name']),
  Type: asString(column['type']),
  Format: asString(column['format']),
  Description: asString(column['description']),
  Priority: column['priority'] ?? 0,
  JSONPath: asString(column['jsonPath']),
});

/** The fields of Go's JSONSchemaProps in order. */
const schemaFields: readonly (readonly [
  goName: string,
  name: string,
  print: (value: JsonValue | undefined) => JsonValue,
])[] = [
  ['ID', 'id', formatText],
  ['Schema', '$schema', formatText],
  ['Ref', '$ref', formatPointer],
  ['Description', 'description', formatText],
  ['Type', 'type', formatText],
  ['Nullable', 'nullable', formatFlag],
  ['Format', 'format', formatText],
  ['Title', 'title', formatText],
  ['Default', 'default', formatPointer],
  ['Maximum', 'maximum', formatPointer],
  ['ExclusiveMaximum', 'exclusiveMaximum', formatFlag],
  ['Minimum', 'minimum', formatPointer],
  ['ExclusiveMinimum', 'exclusiveMinimum', formatFlag],
  ['MaxLength', 'maxLength', formatPointer],
  ['MinLength', 'minLength', formatPointer],
  ['Pattern', 'pattern', formatText],
  ['MaxItems', 'maxItems', formatPointer],
  ['MinItems', 'minItems', formatPointer],
  ['UniqueItems', 'uniqueItems', formatFlag],
  ['MultipleOf', 'multipleOf', formatPointer],
  ['Enum', 'enum', formatPointer],
  ['MaxProperties', 'maxProperties', formatPointer],
  ['MinProperties', 'minProperties', formatPointer],
  ['Required', 'required', formatPointer],
  ['Items', 'items', formatItems],
  ['AllOf', 'allOf', formatSchemaList],
  ['OneOf', 'oneOf', formatSchemaList],
  ['AnyOf', 'anyOf', formatSchemaList],
  ['Not', 'not', formatOptionalSchema],
  ['Properties', 'properties', formatSchemaMap],
  ['AdditionalProperties', 'additionalProperties', formatSchemaOrBool],
  ['PatternProperties', 'patternProperties', formatSchemaMap],
  ['Dependencies', 'dependencies', formatPointer],
  ['AdditionalItems', 'additionalItems', formatSchemaOrBool],
  ['Definitions', 'definitions', formatSchemaMap],
  ['ExternalDocs', 'externalDocs', formatPointer],
  ['Example', 'example', formatPointer],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', formatPointer],
  ['XEmbeddedResource', 'x-kubernetes-embedded-resource', formatFlag],
  ['XIntOrString', 'x-kubernetes-int-or-string', formatFlag],
  ['XListMapKeys', 'x-kubernetes-list-map-keys', formatPointer],
  ['XListType', 'x-kubernetes-list-type', formatPointer],
  ['XMapType', 'x-kubernetes-map-type', formatPointer],
  ['XValidations', 'x-kubernetes-validations', formatRules],
];

export const formatSchema = (schema: JsonObject): JsonObject =>
  Object.fromEntries(schemaFields.map(([goName, name, print]) => [goName, print(schema[name])]));

/** Go names of the nonzero fields, in Go's order. */
export const listSetFields = (schema: JsonObject): readonly string[] =>
  schemaFields.filter(([, name, print]) => !isZero(print(shallow(schema[name])), print)).map(([goName]) => goName);

const shallow = (value: JsonValue | undefined): JsonValue | undefined => (isJsonObject(value) ? {} : value);

/** A pointer may point to a zero value. */
const isZero = (printed: JsonValue, print: typeof formatPointer): boolean =>
  printed === null || (print !== formatPointer && (printed === '' || printed === false));

function formatText(value: JsonValue | undefined): JsonValue {
  return asString(value);
}

function formatFlag(value: JsonValue | undefined): JsonValue {
  return value === true;
}

function formatPointer(value: JsonValue | undefined): JsonValue {
  return value ?? null;
}

function formatOptionalSchema(value: JsonValue | undefined): JsonValue {
  return isJsonObject(value) ? formatSchema(value) : null;
}

function formatSchemaList(value: JsonValue | undefined): JsonValue {
  return Array.isArray(value) ? asList(value).map(formatOptionalSchema) : null;
}

function formatSchemaMap(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return null;
  const sorted = Object.keys(value).toSorted();
  return Object.fromEntries(sorted.map((name) => [name, formatOptionalSchema(value[name])]));
}

function formatItems(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  return { Schema: formatOptionalSchema(value), JSONSchemas: formatSchemaList(value) };
}

function formatSchemaOrBool(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  return { Allows: value !== false, Schema: formatOptionalSchema(value) };
}

function formatRules(value: JsonValue | undefined): JsonValue {
  const rules = asList(value).map(asObject);
  return rules.length === 0 ? null : rules.map(formatRule);
}

const formatRule = (rule: JsonObject): JsonValue => ({
  Rule: asString(rule['rule']),
  Message: asString(rule['message']),
  MessageExpression: asString(rule['messageExpression']),
  Reason: rule['reason'] ?? null,
  FieldPath: asString(rule['fieldPath']),
  OptionalOldSelf: rule['optionalOldSelf'] ?? null,
});
