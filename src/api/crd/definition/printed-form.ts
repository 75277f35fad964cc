import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import type { InternalVersion } from './internal-form.ts';

/** As Go's error texts print the structs. */
export const printedVersions = (versions: readonly InternalVersion[] | null): JsonValue =>
  versions === null ? null : versions.map(printedVersion);

function printedVersion(version: InternalVersion): JsonValue {
  const { schema, subresources, columns, selectableFields } = version;
  return {
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: schema === undefined ? null : { OpenAPIV3Schema: printedSchema(schema) },
    Subresources: subresources === undefined ? null : printedSubresources(subresources),
    AdditionalPrinterColumns: columns.length === 0 ? null : columns.map((column) => printedColumn(asObject(column))),
    SelectableFields:
      selectableFields.length === 0
        ? null
        : selectableFields.map((field) => ({ JSONPath: asString(asObject(field)['jsonPath']) })),
  };
}

function printedSubresources({ status, scale }: JsonObject): JsonValue {
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

const printedColumn = (column: JsonObject): JsonValue => ({
  Name: asString(column['name']),
  Type: asString(column['type']),
  Format: asString(column['format']),
  Description: asString(column['description']),
  Priority: column['priority'] ?? 0,
  JSONPath: asString(column['jsonPath']),
});

/** The fields of Go's JSONSchemaProps in order. */
const fields: readonly (readonly [goName: string, name: string, print: (value: JsonValue | undefined) => JsonValue])[] =
  [
    ['ID', 'id', text],
    ['Schema', '$schema', text],
    ['Ref', '$ref', pointer],
    ['Description', 'description', text],
    ['Type', 'type', text],
    ['Nullable', 'nullable', flag],
    ['Format', 'format', text],
    ['Title', 'title', text],
    ['Default', 'default', pointer],
    ['Maximum', 'maximum', pointer],
    ['ExclusiveMaximum', 'exclusiveMaximum', flag],
    ['Minimum', 'minimum', pointer],
    ['ExclusiveMinimum', 'exclusiveMinimum', flag],
    ['MaxLength', 'maxLength', pointer],
    ['MinLength', 'minLength', pointer],
    ['Pattern', 'pattern', text],
    ['MaxItems', 'maxItems', pointer],
    ['MinItems', 'minItems', pointer],
    ['UniqueItems', 'uniqueItems', flag],
    ['MultipleOf', 'multipleOf', pointer],
    ['Enum', 'enum', pointer],
    ['MaxProperties', 'maxProperties', pointer],
    ['MinProperties', 'minProperties', pointer],
    ['Required', 'required', pointer],
    ['Items', 'items', itemsOf],
    ['AllOf', 'allOf', schemaList],
    ['OneOf', 'oneOf', schemaList],
    ['AnyOf', 'anyOf', schemaList],
    ['Not', 'not', schemaOrNull],
    ['Properties', 'properties', schemaMap],
    ['AdditionalProperties', 'additionalProperties', schemaOrBool],
    ['PatternProperties', 'patternProperties', schemaMap],
    ['Dependencies', 'dependencies', pointer],
    ['AdditionalItems', 'additionalItems', schemaOrBool],
    ['Definitions', 'definitions', schemaMap],
    ['ExternalDocs', 'externalDocs', pointer],
    ['Example', 'example', pointer],
    ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields', pointer],
    ['XEmbeddedResource', 'x-kubernetes-embedded-resource', flag],
    ['XIntOrString', 'x-kubernetes-int-or-string', flag],
    ['XListMapKeys', 'x-kubernetes-list-map-keys', pointer],
    ['XListType', 'x-kubernetes-list-type', pointer],
    ['XMapType', 'x-kubernetes-map-type', pointer],
    ['XValidations', 'x-kubernetes-validations', ruleList],
  ];

export const printedSchema = (schema: JsonObject): JsonObject =>
  Object.fromEntries(fields.map(([goName, name, print]) => [goName, print(schema[name])]));

/** Go names of the nonzero fields, in Go's order. */
export const setFields = (schema: JsonObject): readonly string[] =>
  fields.filter(([, name, print]) => !isZero(print(shallow(schema[name])), print)).map(([goName]) => goName);

const shallow = (value: JsonValue | undefined): JsonValue | undefined => (isJsonObject(value) ? {} : value);

/** A pointer may point to a zero value. */
const isZero = (printed: JsonValue, print: typeof pointer): boolean =>
  printed === null || (print !== pointer && (printed === '' || printed === false));

function text(value: JsonValue | undefined): JsonValue {
  return asString(value);
}

function flag(value: JsonValue | undefined): JsonValue {
  return value === true;
}

function pointer(value: JsonValue | undefined): JsonValue {
  return value ?? null;
}

function schemaOrNull(value: JsonValue | undefined): JsonValue {
  return isJsonObject(value) ? printedSchema(value) : null;
}

function schemaList(value: JsonValue | undefined): JsonValue {
  return Array.isArray(value) ? asList(value).map(schemaOrNull) : null;
}

function schemaMap(value: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value)) return null;
  const sorted = Object.keys(value).toSorted();
  return Object.fromEntries(sorted.map((name) => [name, schemaOrNull(value[name])]));
}

function itemsOf(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  return { Schema: schemaOrNull(value), JSONSchemas: schemaList(value) };
}

function schemaOrBool(value: JsonValue | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  return { Allows: value !== false, Schema: schemaOrNull(value) };
}

function ruleList(value: JsonValue | undefined): JsonValue {
  const rules = asList(value).map(asObject);
  return rules.length === 0 ? null : rules.map(printedRule);
}

const printedRule = (rule: JsonObject): JsonValue => ({
  Rule: asString(rule['rule']),
  Message: asString(rule['message']),
  MessageExpression: asString(rule['messageExpression']),
  Reason: rule['reason'] ?? null,
  FieldPath: asString(rule['fieldPath']),
  OptionalOldSelf: rule['optionalOldSelf'] ?? null,
});
