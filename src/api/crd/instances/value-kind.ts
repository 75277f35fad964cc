import { isInt64 } from '../../../machinery/go/go-number.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { wrongType, type SchemaError } from './findings.ts';
import type { ValueSchema } from './value-schema.ts';

/** The JSON type of a value; integer and number as Go decodes them. */
export type ValueKind = 'null' | 'boolean' | 'string' | 'integer' | 'number' | 'array' | 'object';

export function kindOf(value: JsonValue): ValueKind {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return isInt64(value) ? 'integer' : 'number';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Go's word for a number's type. */
const formats: Readonly<Partial<Record<ValueKind, string>>> = { integer: 'int64', number: 'float64' };

/** Follows kube-openapi pkg/validation/validate/type.go. */
export function typeError(path: string, value: JsonValue, schema: ValueSchema): SchemaError | undefined {
  const { types, format, nullable } = schema;
  const wanted = types.join(',');
  if (value === null) return types.length === 0 || nullable ? undefined : wrongType(path, wanted, 'null');
  const kind = kindOf(value);
  if (types.includes(kind) || isConvertible(value, kind, types)) return undefined;
  if (format === '') return wrongType(path, wanted, kind);
  if (kind !== 'string' && kind !== 'array') return wrongType(path, format, formats[kind] ?? '');
  return isNumeric(types) ? wrongType(path, wanted, kind) : undefined;
}

const isNumeric = (types: readonly string[]): boolean => types.includes('number') || types.includes('integer');

const isConvertible = (value: JsonValue, kind: ValueKind, types: readonly string[]): boolean =>
  (kind === 'integer' && types.includes('number')) || isWhole(value, types);

const isWhole = (value: JsonValue, types: readonly string[]): boolean =>
  typeof value === 'number' && types.includes('integer') && isJsonInteger(value);

const largestExact = 2 ** 53 - 1;
const epsilon = 1e-9;

/** A whole number within an epsilon. Follows go-openapi swag convert.go. */
export function isJsonInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > largestExact) return false;
  if (Number.isInteger(value)) return true;
  const whole = Math.trunc(value);
  if (whole === 0) return false;
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < epsilon;
}
