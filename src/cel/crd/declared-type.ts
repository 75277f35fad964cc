import type { FieldsOf } from '../check/environment.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
} from '../check/type.ts';
import type { Type } from '../check/type.ts';
import { escapeName, expressedNames } from './escape.ts';
import { withResourceMeta } from './rule-schema.ts';
import type { RuleSchema } from './rule-schema.ts';

/** A schema as a type, with what the estimator needs to know of its sizes. */
export interface DeclaredType {
  readonly type: Type;
  /** The longest text, list or map that can be: by the schema's limits, else by the largest request. */
  readonly maxElements: number;
  /** The fewest bytes that a value takes as JSON. */
  readonly minSize: number;
  /** Of an object: by escaped name. */
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  /** Of a list or a map. */
  readonly element?: DeclaredType;
  /** Of a map. */
  readonly key?: DeclaredType;
}

export const maxRequestBytes = 3 * 1024 * 1024;
const quotes = 2;
const minText = 2;

/**
 * The type of a schema; undefined when expressions must not see it, such as one of fields that are kept without being
 * known. `name` is that of its type. Follows apiserver pkg/cel/common/schemas.go.
 */
export function declareType(schema: RuleSchema, name: string, isResource: boolean): DeclaredType | undefined {
  if (schema.intOrString) return simple(dynType, 1, schema.maxLength === undefined ? longestText : utf8(schema));
  const whole = isResource ? withResourceMeta(schema) : schema;
  switch (whole.type) {
    case 'array':
      return declareList(whole, name);
    case 'object':
      return whole.additional === undefined ? declareObject(whole, name) : declareMap(whole, whole.additional, name);
    case 'string':
      return declareText(whole);
    case 'boolean':
      return simple(boolType, 4, 0);
    case 'number':
      return simple(doubleType, 1, 0);
    case 'integer':
      return simple(intType, 1, 0);
    default:
      return undefined;
  }
}

const simple = (type: Type, minSize: number, maxElements: number): DeclaredType => ({ type, minSize, maxElements });

const longestText = maxRequestBytes - quotes;

/** A limit in code points, in bytes. */
const utf8 = ({ maxLength = 0 }: RuleSchema): number => maxLength * 4;

function declareList({ items, maxItems }: RuleSchema, name: string): DeclaredType | undefined {
  const element = items && declareType(items, `${name}.@idx`, items.embedded);
  if (element === undefined) return undefined;
  const maxElements = maxItems ?? Math.floor((maxRequestBytes - 2) / (element.minSize + 1));
  return { ...simple(listType(element.type), 2, maxElements), element };
}

function declareMap({ maxProperties }: RuleSchema, additional: RuleSchema, name: string): DeclaredType | undefined {
  const element = declareType(additional, `${name}.@elem`, additional.embedded);
  if (element === undefined) return undefined;
  const keyBytes = 6;
  const maxElements = maxProperties ?? Math.floor((maxRequestBytes - 2) / (element.minSize + keyBytes));
  return { ...simple(mapType(stringType, element.type), 2, maxElements), element, key: simple(stringType, minText, 0) };
}

function declareObject({ properties, required }: RuleSchema, name: string): DeclaredType {
  const fields = new Map<string, DeclaredType>();
  let minSize = 2;
  for (const [property, schema] of properties ?? []) {
    const escaped = escapeName(property);
    const field = declareType(schema, `${name}.${escaped}`, schema.embedded);
    if (field === undefined) continue;
    for (const expressed of expressedNames(property)) fields.set(expressed, field);
    if (required.has(property) && !schema.hasDefault) minSize += property.length + field.minSize + 4;
  }
  return { ...simple(structType(name), minSize, 0), fields };
}

function declareText(schema: RuleSchema): DeclaredType {
  const { maxLength, texts, isEnum } = schema;
  switch (schema.format) {
    case 'byte':
      return simple(bytesType, minText, maxLength ?? longestText);
    case 'duration':
      return simple(durationType, 3, 32);
    case 'date':
      return simple(timestampType, 12, 12);
    case 'date-time':
      return simple(timestampType, 21, 32);
    default:
      return simple(stringType, minText, maxLength === undefined ? longest(texts, isEnum) : utf8(schema));
  }
}

const longest = (texts: readonly string[], isEnum: boolean): number =>
  isEnum ? Math.max(0, ...texts.map((text) => new TextEncoder().encode(text).length)) : longestText;

/** The struct types that a type holds, itself included, by name. Follows apiserver pkg/cel/types.go FieldTypeMap. */
export function structsOf(declared: DeclaredType): ReadonlyMap<string, FieldsOf> {
  const structs = new Map<string, FieldsOf>();
  collect(declared, structs);
  return structs;
}

function collect({ type, fields, element }: DeclaredType, structs: Map<string, FieldsOf>): void {
  if (type.kind === 'struct' && fields) structs.set(type.name, (field) => fields.get(field)?.type);
  for (const field of fields?.values() ?? []) collect(field, structs);
  if (element) collect(element, structs);
}
