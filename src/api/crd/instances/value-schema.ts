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
import { findFormat } from '../formats/known-formats.ts';

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
export const readValueSchema: (json: JsonObject) => ValueSchema = readOnce(parseValueSchema);

function parseValueSchema(json: JsonObject): ValueSchema {
  return createValueSchema(json, readCheckedFormat, parseValueSchema);
}

/** Of a default, uncached: values of a wrong type are judged by their format, also where it is unknown. */
export function parseDefaultSchema(json: JsonObject): ValueSchema {
  return createValueSchema(json, (_types, format) => format, parseDefaultSchema);
}

type ReadSchema = (json: JsonObject) => ValueSchema;

function createValueSchema(json: JsonObject, formatOf: typeof readCheckedFormat, inner: ReadSchema): ValueSchema {
  const { items, not } = json;
  const schemas = (field: JsonValue | undefined): readonly ValueSchema[] =>
    asList(field).map((item) => inner(asObject(item)));
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
      maximum: readNumber(json['maximum']),
      minimum: readNumber(json['minimum']),
      multipleOf: readNumber(json['multipleOf']),
      maxLength: readNumber(json['maxLength']),
      minLength: readNumber(json['minLength']),
      maxItems: readNumber(json['maxItems']),
      minItems: readNumber(json['minItems']),
      maxProperties: readNumber(json['maxProperties']),
      minProperties: readNumber(json['minProperties']),
    },
  };
}

const readNumber = (json: JsonValue | undefined): number | undefined =>
  typeof json === 'number' || typeof json === 'bigint' ? Number(json) : undefined;

/** Follows apiextensions-apiserver pkg/apiserver/validation/formats.go. */
function readCheckedFormat(types: readonly string[], format: string): string {
  return isRecognized(types.length === 1 ? (types[0] ?? '') : '', format) ? format : '';
}

/** `type` is '' for none or several. */
export function isRecognized(type: string, format: string): boolean {
  switch (type) {
    case '':
    case 'string':
      return findFormat(format) !== undefined;
    case 'integer':
      return format === 'int32' || format === 'int64';
    case 'number':
      return format === 'float' || format === 'double';
    default:
      return false;
  }
}
