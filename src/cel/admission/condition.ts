import { admissionEnvironment, type AdmissionEnvironmentOptions } from './admission-environment.ts';
import type { Checked } from '../check/checked.ts';
import { type Compilation, compile } from '../run/compile.ts';
import { typeText } from '../check/type.ts';

export type ConditionOptions = Pick<AdmissionEnvironmentOptions, 'stored' | 'params' | 'variables'>;

/**
 * Compiles a match condition: it must be bool, exactly. The error is the text that stands after the expression in API
 * validation, and after `compilation error: ` at run time (rules SEL-64, CEL-1).
 */
export const compileCondition = (expression: string, options: ConditionOptions): Compilation =>
  compileAdmission(expression, options, ['bool']);

/** Compiles an expression of an admission policy whose result must have one of these types. */
export const compileAdmission = (
  expression: string,
  options: AdmissionEnvironmentOptions,
  returns: readonly string[] | undefined,
): Compilation => compile(expression, admissionEnvironment(options), (checked) => wrongType(checked, returns));

/** Follows apiserver pkg/admission/plugin/cel/compile.go. */
function wrongType({ type }: Checked, returns: readonly string[] | undefined): string | undefined {
  const found = typeText(type);
  if (returns === undefined || returns.includes(found)) return undefined;
  const [only] = returns;
  const wanted = returns.length === 1 ? only : `one of [${returns.join(' ')}]`;
  return `must evaluate to ${wanted} but got ${found}`;
}
