import { printFloat } from '../../../machinery/go/go-number.ts';
import { asWhole, complain, notPositive, unfit, unfitFloat, type Findings } from './findings.ts';
import { isJsonInteger, kindOf } from './value-kind.ts';
import type { ValueSchema } from './value-schema.ts';

type Numeric = number | bigint;

interface NumberCheck {
  readonly path: string;
  readonly value: Numeric;
  readonly schema: ValueSchema;
  readonly findings: Findings;
}

/** Follows kube-openapi pkg/validation/validate/validator.go numberValidator. */
export function checkNumber(path: string, value: Numeric, schema: ValueSchema, findings: Findings): void {
  const check = { path, value, schema, findings };
  const { multipleOf, minimum, maximum } = schema.limits;
  findings.matches += 2;
  isInRange(check, value, 'Checked');
  if (multipleOf !== undefined) checkMultiple(check, multipleOf);
  if (minimum !== undefined) {
    const bound = boundOf(check, minimum, 'Minimum boundary');
    const fits = schema.exclusiveMinimum ? value > bound : value >= bound;
    if (!fits) unfitTo(check, bound, schema.exclusiveMinimum ? 'greater than' : 'greater than or equal to');
  }
  if (maximum !== undefined) {
    const bound = boundOf(check, maximum, 'Maximum boundary');
    const fits = schema.exclusiveMaximum ? value < bound : value <= bound;
    if (!fits) unfitTo(check, bound, schema.exclusiveMaximum ? 'less than' : 'less than or equal to');
  }
}

function unfitTo({ path, value, findings }: NumberCheck, bound: Numeric, must: string): void {
  const text = `should be ${must} ${printBound(bound)}`;
  complain(findings, typeof bound === 'bigint' ? unfit(path, value, text) : unfitFloat(path, Number(value), text));
}

/** Go converts the bound to the type of an integer value. */
const boundOf = (check: NumberCheck, bound: number, name: string): Numeric =>
  isInRange(check, bound, name) && kindOf(check.value) === 'integer' ? toInt64(bound) : bound;

/** Go's conversion: numbers outside int64 become the least int64. */
const toInt64 = (value: number): bigint => (Math.abs(value) < int64 ? BigInt(Math.trunc(value)) : BigInt(-int64));

const printBound = (bound: Numeric): string => (typeof bound === 'bigint' ? String(bound) : printFloat(bound));

function checkMultiple(check: NumberCheck, factor: number): void {
  const { path, value, findings } = check;
  const bound = boundOf(check, factor, 'MultipleOf');
  if (bound <= 0) return complain(findings, notPositive(path, printBound(bound)));
  const isMultiple = typeof bound === 'bigint' ? BigInt(value) % bound === 0n : isFloatMultiple(Number(value), bound);
  if (!isMultiple) unfitTo(check, bound, 'a multiple of');
}

const isFloatMultiple = (value: number, factor: number): boolean =>
  isJsonInteger(factor < 1 ? (1 / factor) * value : value / factor);

/** Follows kube-openapi pkg/validation/validate/values.go IsValueValidAgainstRange. */
function isInRange({ path, schema, findings }: NumberCheck, value: Numeric, name: string): boolean {
  const [type = ''] = schema.types.length === 1 ? schema.types : [];
  const { format } = schema;
  if (fits(value, type, format)) return true;
  const withFormat = format === '' ? '(default format)' : `with format ${format}`;
  complain(findings, asWhole(`${name} value must be of type ${type} ${withFormat} in ${path}`));
  return false;
}

const int32 = 2 ** 31;
const int64 = 2 ** 63;
const largestFloat = 3.402_823_466_385_288_6e38;

function fits(value: Numeric, type: string, format: string): boolean {
  if (type === 'number') return format !== 'float' || Math.abs(Number(value)) <= largestFloat;
  if (type !== 'integer') return true;
  const limit = format === 'int32' ? int32 : int64;
  // The least int64 is a bigint here; the same double came from a smaller number.
  if (value === -int64) return false;
  return (typeof value === 'bigint' || Number.isInteger(value)) && value >= -limit && value < limit;
}
