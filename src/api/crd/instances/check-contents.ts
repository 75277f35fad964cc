import { writeJson } from '../../../machinery/json/json-writer.ts';
import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import type { CorrelatedObject } from '../correlated-object.ts';
import {
  newErrorWithoutPath,
  addError,
  type SchemaFindings,
  newRequired,
  newNotPositive,
  type SchemaError,
  newTooMany,
  newInvalid,
  newInvalidFloat,
  newWrongType,
} from './findings.ts';
import type { ValueSchema } from './value-schema.ts';
import { printFloat, isInt64 } from '../../../machinery/go/go-number.ts';

/** Follows kube-openapi pkg/validation/validate/slice_validator.go. */
export function checkList(
  { path, correlated, check }: ValueAtPath,
  items: readonly JsonValue[],
  schema: ValueSchema,
  findings: SchemaFindings,
): void {
  const { limits, items: element } = schema;
  findings.matches += 2;
  if (element !== undefined) {
    for (const [index, value] of items.entries()) {
      const inner = { value, path: `${path}[${index}]`, correlated: correlated?.index(index), check };
      check(inner, element, findings);
    }
  }
  const { minItems, maxItems } = limits;
  if (minItems !== undefined && items.length < minItems) {
    addError(findings, newInvalid(path, items.length, `should have at least ${minItems} items`));
  }
  if (maxItems !== undefined && items.length > maxItems) {
    addError(findings, newTooMany(path, 'items', items.length, maxItems));
  }
  if (schema.uniqueItems && new Set(items.map(writeJson)).size < items.length) {
    addError(findings, newInvalid(path, '', `shouldn't contain duplicates`));
  }
}

/** Follows kube-openapi pkg/validation/validate/object_validator.go. */
export function checkObjectSchema(
  checked: ValueAtPath,
  object: JsonObject,
  schema: ValueSchema,
  findings: SchemaFindings,
): void {
  const { path } = checked;
  findings.matches += 1;
  const { minProperties, maxProperties } = schema.limits;
  const fields = Object.keys(object);
  if (minProperties !== undefined && fields.length < minProperties) {
    addError(findings, newInvalid(path, fields.length, `should have at least ${minProperties} properties`));
  }
  if (maxProperties !== undefined && fields.length > maxProperties) {
    addError(findings, newTooMany(path, 'properties', fields.length, maxProperties));
  }
  checkAdditional(checked, object, schema, findings);
  for (const field of fields) {
    const property = schema.properties.get(field);
    const inner = path === '' ? field : `${path}.${field}`;
    if (property !== undefined) {
      checkField(checked, { field, value: object[field], path: inner }, property, findings);
    }
  }
  checkRequired(path, object, schema, findings);
}

function checkRequired(path: string, object: JsonObject, { required }: ValueSchema, findings: SchemaFindings): void {
  for (const field of required) {
    if (!Object.hasOwn(object, field)) addError(findings, newRequired(`${path}.${field}`));
  }
}

function checkAdditional(
  checked: ValueAtPath,
  object: JsonObject,
  schema: ValueSchema,
  findings: SchemaFindings,
): void {
  const { additional, properties } = schema;
  if (additional === undefined || additional === true) return;
  for (const field of Object.keys(object)) {
    if (properties.has(field)) continue;
    const path = `${checked.path}.${field}`;
    if (additional === false) addError(findings, newForbiddenProperty(checked.path, field));
    else {
      checkField(checked, { field, value: object[field], path }, additional, findings);
    }
  }
}

const newForbiddenProperty = (path: string, field: string) => {
  const error = newInvalid(path, field, '');
  const text = `${path}.${field} in body is a forbidden property`;
  return { text, error: (name: (path: string) => string) => ({ ...error.error(name), detail: text }) };
};

interface FieldAt {
  readonly field: string;
  readonly value: JsonValue | undefined;
  readonly path: string;
}

function checkField(
  { correlated, check }: ValueAtPath,
  { field, value, path }: FieldAt,
  schema: ValueSchema,
  findings: SchemaFindings,
): void | undefined {
  if (value === undefined) return undefined;
  // The old object was converted to the new version, so apiVersion never differs.
  const isTypeMeta = path === 'apiVersion' || path === 'kind';
  return check({ value, path, correlated: isTypeMeta ? undefined : correlated?.key(field), check }, schema, findings);
}

export interface ValueAtPath {
  readonly value: JsonValue;
  readonly path: string;
  readonly correlated: CorrelatedObject | undefined;
  /** `checkValue`, for the values inside: passed on, because its file imports this one. */
  readonly check: CheckValue;
}

export type CheckValue = (checked: ValueAtPath, schema: ValueSchema, findings: SchemaFindings) => void;

type Numeric = number | bigint;

interface NumberCheck {
  readonly path: string;
  readonly value: Numeric;
  readonly schema: ValueSchema;
  readonly findings: SchemaFindings;
}

/** Follows kube-openapi pkg/validation/validate/validator.go numberValidator. */
export function checkNumber(path: string, value: Numeric, schema: ValueSchema, findings: SchemaFindings): void {
  const check = { path, value, schema, findings };
  const { multipleOf, minimum, maximum } = schema.limits;
  findings.matches += 2;
  isInRange(check, value, 'Checked');
  if (multipleOf !== undefined) checkMultiple(check, multipleOf);
  if (minimum !== undefined) {
    const bound = convertBound(check, minimum, 'Minimum boundary');
    const fitsType = schema.exclusiveMinimum ? value > bound : value >= bound;
    if (!fitsType) addBoundError(check, bound, schema.exclusiveMinimum ? 'greater than' : 'greater than or equal to');
  }
  if (maximum !== undefined) {
    const bound = convertBound(check, maximum, 'Maximum boundary');
    const fits = schema.exclusiveMaximum ? value < bound : value <= bound;
    if (!fits) addBoundError(check, bound, schema.exclusiveMaximum ? 'less than' : 'less than or equal to');
  }
}

function addBoundError({ path, value, findings }: NumberCheck, bound: Numeric, must: string): void {
  const text = `should be ${must} ${printBound(bound)}`;
  addError(
    findings,
    typeof bound === 'bigint' ? newInvalid(path, value, text) : newInvalidFloat(path, Number(value), text),
  );
}

/** Go converts the bound to the type of an integer value. */
const convertBound = (check: NumberCheck, bound: number, name: string): Numeric =>
  isInRange(check, bound, name) && readValueKind(check.value) === 'integer' ? toInt64(bound) : bound;

/** Go's conversion: numbers outside int64 become the least int64. */
const toInt64 = (value: number): bigint => (Math.abs(value) < int64 ? BigInt(Math.trunc(value)) : BigInt(-int64));

const printBound = (bound: Numeric): string => (typeof bound === 'bigint' ? String(bound) : printFloat(bound));

function checkMultiple(check: NumberCheck, factor: number): void {
  const { path, value, findings } = check;
  const bound = convertBound(check, factor, 'MultipleOf');
  if (bound <= 0) return addError(findings, newNotPositive(path, printBound(bound)));
  const isMultiple = typeof bound === 'bigint' ? BigInt(value) % bound === 0n : isFloatMultiple(Number(value), bound);
  if (!isMultiple) addBoundError(check, bound, 'a multiple of');
}

const isFloatMultiple = (value: number, factor: number): boolean =>
  isJsonInteger(factor < 1 ? (1 / factor) * value : value / factor);

/** Follows kube-openapi pkg/validation/validate/values.go IsValueValidAgainstRange. */
function isInRange({ path, schema, findings }: NumberCheck, value: Numeric, name: string): boolean {
  const [type = ''] = schema.types.length === 1 ? schema.types : [];
  const { format } = schema;
  if (fits(value, type, format)) return true;
  const withFormat = format === '' ? '(default format)' : `with format ${format}`;
  addError(findings, newErrorWithoutPath(`${name} value must be of type ${type} ${withFormat} in ${path}`));
  return false;
}

const int32 = 2 ** 31;
const int64 = 2 ** 63;
const maxFloat32 = 3.402_823_466_385_288_6e38;

function fits(value: Numeric, type: string, format: string): boolean {
  if (type === 'number') return format !== 'float' || Math.abs(Number(value)) <= maxFloat32;
  if (type !== 'integer') return true;
  const limit = format === 'int32' ? int32 : int64;
  // The least int64 is a bigint here; the same double came from a smaller number.
  if (value === -int64) return false;
  return (typeof value === 'bigint' || Number.isInteger(value)) && value >= -limit && value < limit;
}

/** The JSON type of a value; integer and number as Go decodes them. */
export type ValueKind = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';

export function readValueKind(value: JsonValue): ValueKind {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return isInt64(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Go's word for a number's type. */
const numberFormats: Readonly<Partial<Record<ValueKind, string>>> = { integer: 'int64', number: 'float64' };

/** Follows kube-openapi pkg/validation/validate/type.go. */
export function typeError(path: string, value: JsonValue, schema: ValueSchema): SchemaError | undefined {
  const { types, format, nullable } = schema;
  const wanted = types.join(',');
  if (value === null) return types.length === 0 || nullable ? undefined : newWrongType(path, wanted, 'null');
  const kind = readValueKind(value);
  if (types.includes(kind) || isConvertible(value, kind, types)) return undefined;
  if (format === '') return newWrongType(path, wanted, kind);
  if (kind !== 'string' && kind !== 'array') return newWrongType(path, format, numberFormats[kind] ?? '');
  return isNumeric(types) ? newWrongType(path, wanted, kind) : undefined;
}

const isNumeric = (types: readonly string[]): boolean => types.includes('number') || types.includes('integer');

const isConvertible = (value: JsonValue, kind: ValueKind, types: readonly string[]): boolean =>
  (kind === 'integer' && types.includes('number')) || isWholeNumber(value, types);

const isWholeNumber = (value: JsonValue, types: readonly string[]): boolean =>
  typeof value === 'number' && types.includes('integer') && isJsonInteger(value);

const maxExactInteger = 2 ** 53 - 1;
const epsilon = 1e-9;

/** A whole number within an epsilon. Follows go-openapi swag convert.go. */
export function isJsonInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > maxExactInteger) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  if (whole === 0) return false;
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < epsilon;
}
