import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';
import type { DeviceSelection } from '../../../cel/index.ts';
import { type Type, dynType } from '../../../cel/vocabulary.ts';
import { trimSpace } from '../../../machinery/go/strings.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import {
  type FieldError,
  forbiddenField,
  internalFieldError,
  invalidValue,
  required,
} from '../../../machinery/meta/field-error.ts';
import type { Expressions } from '../matching/expressions.ts';

export type CompileExpression = Expressions['compile'];

export interface PolicyExpressions {
  /** The error of an expression that must have one of these types; [] for none. */
  readonly check: (
    text: string,
    path: string,
    returns: readonly string[],
    use?: AllowedVariables,
  ) => readonly FieldError[];
  readonly declare: (name: string, text: string, path: string) => readonly FieldError[];
}

export interface AllowedVariables {
  readonly authorizer?: boolean;
  readonly patch?: boolean;
  readonly stored?: boolean;
  /** matchConditions have no `variables`. */
  readonly withoutVariables?: boolean;
  /** The quoted text, where it differs from the compiled one. */
  readonly quoted?: string;
}

interface ExpressionContext {
  readonly params: boolean;
  readonly hasVariables: boolean;
  /** Expressions of the replaced policy may use newer functions. */
  readonly storedTexts: ReadonlySet<string>;
}

type StoredPolicy = v1.ValidatingAdmissionPolicy & v1.MutatingAdmissionPolicy;

export function storedTexts(policy: StoredPolicy | undefined): ReadonlySet<string> {
  const { matchConditions, variables, validations, auditAnnotations, mutations } = asObject(policy?.spec);
  const texts = [
    ...[...asList(matchConditions), ...asList(variables)].map(({ expression }) => expression),
    ...asList(validations).flatMap(({ expression, messageExpression }) => [expression, messageExpression]),
    ...asList(auditAnnotations).map(({ valueExpression }) => valueExpression),
    ...asList(mutations).flatMap(({ applyConfiguration, jsonPatch }) => [
      asObject(applyConfiguration).expression,
      asObject(jsonPatch).expression,
    ]),
  ];
  return new Set(texts.map((text) => trimSpace(asString(text))).filter((text) => text !== ''));
}

/** Follows kubernetes pkg/apis/admissionregistration/validation/validation.go (rules CFG-41, CFG-74, CFG-84). */
export function createPolicyExpressions(
  compile: CompileExpression | undefined,
  { params, hasVariables, storedTexts: known }: ExpressionContext,
): PolicyExpressions {
  const types = new Map<string, Type>();
  const run = (text: string, returns: readonly string[] | undefined, use: AllowedVariables) => {
    if (!compile) return { outcome: 'failed', error: 'compilation failed: CEL is not available' } as const;
    const { stored = known.has(trimSpace(text)), withoutVariables = false, ...rest } = use;
    const variables = hasVariables && !withoutVariables ? types : undefined;
    return compile(text, { stored, params, ...rest, variables }, returns);
  };
  return {
    check: (text, path, returns, { quoted = text, ...use } = {}) => {
      if (trimSpace(text) === '') return [required(path, 'expression is not specified')];
      const compilation = run(text, returns, use);
      return compilation.outcome === 'compiled' ? [] : [expressionFault(path, quoted, compilation)];
    },
    declare: (name, text, path) => {
      if (trimSpace(text) === '') return [required(path, 'expression is not specified')];
      const compilation = run(text, undefined, {});
      types.set(name, compilation.outcome === 'compiled' ? compilation.compiled.checked.type : dynType);
      return compilation.outcome === 'compiled' ? [] : [expressionFault(path, text, compilation)];
    },
  };
}

export interface FailedExpression {
  readonly error: string;
  readonly isInternal?: true;
}

/** Follows kubernetes pkg/apis/admissionregistration/validation/validation.go convertCELErrorToValidationError. */
export const expressionFault = (path: string, text: string, { error, isInternal }: FailedExpression): FieldError =>
  isInternal ? internalFieldError(path, error) : invalidValue(path, text, error);

/** Follows kubernetes pkg/apis/resource/validation/validation.go validateCELSelector. */
export function validateCelSelector(
  expression: string,
  path: string,
  selection: DeviceSelection,
): readonly FieldError[] {
  if (selection.outcome === 'failed') return [expressionFault(path, expression, selection)];
  return selection.isTooExpensive ? [forbiddenField(path, 'too complex, exceeds cost limit')] : [];
}
