import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
import { readOnce } from '../../../machinery/once.ts';
import { readAdditional, readProperties, type Properties } from '../structural.ts';
import { knownFormat } from '../formats/known-formats.ts';

export interface ValueSchema {
  /** Empty for any type; two for an int-or-string. */
  readonly types: readonly string[];
  /** '' when it is not checked for this type. */
  readonly format: string;
  readonly nullable: boolean;
  readonly enum: readonly JsonValue[];
  /** For fast lookup: enums may have thousands of values. */
  readonly enumTexts: ReadonlySet<JsonValue>;
  readonly allOf: readonly ValueSchema[];
  readonly anyOf: readonly ValueSchema[];
  readonly oneOf: readonly ValueSchema[];
  readonly not: ValueSchema | undefined;
  readonly properties: Properties<ValueSchema>;
  readonly additional: ValueSchema | boolean | undefined;
  readonly items: ValueSchema | undefined;
  readonly required: readonly string[];
  readonly pattern: string;
  readonly uniqueItems: boolean;
  readonly exclusiveMaximum: boolean;
  readonly exclusiveMinimum: boolean;
  readonly limits: Limits;
}

export interface Limits {
  readonly maximum: number | undefined;
  readonly minimum: number | undefined;
  readonly multipleOf: number | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
}

/** Follows apiextensions-apiserver pkg/apiserver/validation/validation.go ConvertJSONSchemaPropsWithPostProcess. */
export const readValueSchema: (json: JsonObject) => ValueSchema = readOnce(valueSchemaOf);

function valueSchemaOf(json: JsonObject): ValueSchema {
  return valueSchema(json, checkedFormat, valueSchemaOf);
}

/** Of a default, uncached: values of a wrong type are judged by their format, also where it is unknown. */
export function schemaOfDefault(json: JsonObject): ValueSchema {
  return valueSchema(json, (_types, format) => format, schemaOfDefault);
}

type ReadSchema = (json: JsonObject) => ValueSchema;

function valueSchema(json: JsonObject, formatOf: typeof checkedFormat, inner: ReadSchema): ValueSchema {
  const { items, not } = json;
  const schemas = (field: JsonValue | undefined): readonly ValueSchema[] =>
    asList(field).map((one) => inner(asObject(one)));
  const type = asString(json['type']);
  const types = json['x-kubernetes-int-or-string'] === true ? ['integer', 'string'] : type === '' ? [] : [type];
  return {
    types,
    format: formatOf(types, asString(json['format'])),
    nullable: json['nullable'] === true,
    enum: asList(json['enum']),
    enumTexts: new Set(asList(json['enum']).filter((one) => typeof one === 'string')),
    allOf: schemas(json['allOf']),
    anyOf: schemas(json['anyOf']),
    oneOf: schemas(json['oneOf']),
    not: isJsonObject(not) ? inner(not) : undefined,
    properties: readProperties(json['properties'], inner),
    additional: readAdditional(json['additionalProperties'], inner),
    items: isJsonObject(items) ? inner(items) : undefined,
    required: asList(json['required']).map(asString),
    pattern: asString(json['pattern']),
    uniqueItems: json['uniqueItems'] === true,
    exclusiveMaximum: json['exclusiveMaximum'] === true,
    exclusiveMinimum: json['exclusiveMinimum'] === true,
    limits: {
      maximum: numberOf(json['maximum']),
      minimum: numberOf(json['minimum']),
      multipleOf: numberOf(json['multipleOf']),
      maxLength: numberOf(json['maxLength']),
      minLength: numberOf(json['minLength']),
      maxItems: numberOf(json['maxItems']),
      minItems: numberOf(json['minItems']),
      maxProperties: numberOf(json['maxProperties']),
      minProperties: numberOf(json['minProperties']),
    },
  };
}

const numberOf = (json: JsonValue | undefined): number | undefined =>
  typeof json === 'number' || typeof json === 'bigint' ? Number(json) : undefined;

/** Follows apiextensions-apiserver pkg/apiserver/validation/formats.go. */
function checkedFormat(types: readonly string[], format: string): string {
  return isRecognized(types.length === 1 ? (types[0] ?? '') : '', format) ? format : '';
}

/** `type` is '' for none or several. */
export function isRecognized(type: string, format: string): boolean {
  switch (type) {
    case '':
    case 'string':
      return knownFormat(format) !== undefined;
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}
