import { goPrint } from '../../apimachinery/go-print.ts';
import { asWhole, complain, unfit } from './findings.ts';
import type { Findings } from './findings.ts';
import { isJsonInteger, kindOf } from './value-kind.ts';
import type { ValueSchema } from './value-schema.ts';

type Numeric = number | bigint;

interface NumberCheck {
  readonly path: string;
  readonly value: Numeric;
  readonly schema: ValueSchema;
  readonly findings: Findings;
}

/** Range, multipleOf, minimum, maximum. Follows kube-openapi pkg/validation/validate/validator.go numberValidator. */
export function checkNumber(path: string, value: Numeric, schema: ValueSchema, findings: Findings): void {
  const check = { path, value, schema, findings };
  const { multipleOf, minimum, maximum } = schema.limits;
  findings.matches += 2;
  isInRange(check, value, 'Checked');
  if (multipleOf !== undefined) checkMultiple(check, multipleOf);
  if (minimum !== undefined) {
    const bound = boundOf(check, minimum, 'Minimum boundary');
    const fits = schema.exclusiveMinimum ? value > bound : value >= bound;
    const must = schema.exclusiveMinimum ? 'should be greater than' : 'should be greater than or equal to';
    if (!fits) complain(findings, unfit(path, value, `${must} ${goPrint(bound)}`));
  }
  if (maximum !== undefined) {
    const bound = boundOf(check, maximum, 'Maximum boundary');
    const fits = schema.exclusiveMaximum ? value < bound : value <= bound;
    const must = schema.exclusiveMaximum ? 'should be less than' : 'should be less than or equal to';
    if (!fits) complain(findings, unfit(path, value, `${must} ${goPrint(bound)}`));
  }
}

/** An integer is compared with what is left of the bound when it becomes one. */
const boundOf = (check: NumberCheck, bound: number, name: string): number =>
  isInRange(check, bound, name) && kindOf(check.value) === 'integer' ? Math.trunc(bound) : bound;

function checkMultiple(check: NumberCheck, factor: number): void {
  const { path, value, findings } = check;
  const isFit = isInRange(check, factor, 'MultipleOf');
  if (factor < 0) {
    return complain(findings, asWhole(`factor MultipleOf declared for ${path} must be positive: ${goPrint(factor)}`));
  }
  const whole = Math.trunc(factor);
  const isNative = isFit && kindOf(value) === 'integer' && whole !== 0;
  const isMultiple = isNative ? BigInt(value) % BigInt(whole) === 0n : isFloatMultiple(Number(value), factor);
  const shown = isNative ? whole : factor;
  if (!isMultiple) complain(findings, unfit(path, value, `should be a multiple of ${goPrint(shown)}`));
}

const isFloatMultiple = (value: number, factor: number): boolean =>
  isJsonInteger(factor < 1 ? (1 / factor) * value : value / factor);

/** Does the number fit its type? Follows kube-openapi pkg/validation/validate/values.go IsValueValidAgainstRange. */
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
  return (typeof value === 'bigint' || Number.isInteger(value)) && value >= -limit && value < limit;
}
