import { trimSpace } from '../../../machinery/go/strings.ts';
import { duplicate, type FieldError, invalidValue, required, tooMany } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString, type JsonValue } from '../../../machinery/json/json.ts';
import { qualifiedNameErrors } from '../../../machinery/meta/names.ts';
import { isDuplicate } from '../../../machinery/lists.ts';
import { expressionFault, type FailedExpression } from './policy-expressions.ts';
import type { Expressions } from '../matching/expressions.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

/**
 * undefined for a valid expression. `stored` ones may use newer functions. The error is complete: `compilation failed: …` or `must evaluate to
 * bool but got int`.
 */
export type CompileCondition = (
  expression: string,
  environment: { readonly stored: boolean },
) => FailedExpression | undefined;

export const conditionCompiler =
  (compile: Expressions['compile']): CompileCondition =>
  (expression, { stored }) => {
    const compilation = compile(expression, { stored }, ['bool']);
    return compilation.outcome === 'failed' ? compilation : undefined;
  };

const maximum = 64;

/**
 * `storedExpressions` are those of the replaced object. Follows kubernetes
 * pkg/apis/admissionregistration/validation/validation.go (rules CFG-40, CFG-41, CFG-51).
 */
export function validateMatchConditions(
  value: JsonValue | undefined,
  path: string,
  compile: CompileCondition | undefined,
  storedExpressions: ReadonlySet<string>,
): readonly FieldError[] {
  const conditions: readonly v1.MatchCondition[] = asList(value).map(asObject);
  const seen = new Set<string>();
  return [
    ...(conditions.length > maximum ? [tooMany(path, conditions.length, maximum)] : []),
    ...conditions.flatMap((condition, index) => {
      const name = asString(condition.name);
      const at = `${path}[${index}]`;
      const isRepeated = name !== '' && isDuplicate(seen, name);
      return [
        ...expressionErrors(condition, `${at}.expression`, compile, storedExpressions),
        ...nameErrors(name, `${at}.name`),
        ...(isRepeated ? [duplicate(`${at}.name`, name)] : []),
      ];
    }),
  ];
}

/** Upstream compares the untrimmed old text with the trimmed new one. */
function expressionErrors(
  condition: v1.MatchCondition,
  path: string,
  compile: CompileCondition = () => ({ error: 'compilation failed: CEL is not available' }),
  storedExpressions: ReadonlySet<string>,
): readonly FieldError[] {
  const expression = trimSpace(asString(condition.expression));
  if (expression === '') return [required(path, '')];
  const failed = compile(expression, { stored: storedExpressions.has(expression) });
  return failed ? [expressionFault(path, expression, failed)] : [];
}

const nameErrors = (name: string, path: string): readonly FieldError[] =>
  name === '' ? [required(path, '')] : qualifiedNameErrors(name).map((error) => invalidValue(path, name, error));
