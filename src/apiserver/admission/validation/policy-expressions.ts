import { trimSpace } from '../../../machinery/go/trim-space.ts';
import { required } from '../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { dynType } from '../../../cel/vocabulary.ts';
import type { Type } from '../../../cel/vocabulary.ts';
import { expressionFault } from './expression-fault.ts';
import type { Expressions } from '../matching/expressions.ts';
import type * as v1 from '../../../api/types/generated/admissionregistration-v1.ts';

export type CompileExpression = Expressions['compile'];

/** The expressions of one policy, in its own environment. */
export interface PolicyExpressions {
  /** The complaint about one expression that must have one of these types; [] when there is none. */
  readonly check: (
    text: string,
    path: string,
    returns: readonly string[],
    use?: ExpressionUse,
  ) => readonly FieldError[];
  /** The same for a variable of any type; later expressions may use it. */
  readonly declare: (name: string, text: string, path: string) => readonly FieldError[];
}

export interface ExpressionUse {
  /** messageExpression has no authorizer. */
  readonly authorizer?: boolean;
  /** `Object{…}` and `JSONPatch{…}`. */
  readonly patch?: boolean;
  readonly stored?: boolean;
  /** matchConditions know no `variables`. */
  readonly withoutVariables?: boolean;
  /** The text that the complaint quotes, where it is not the one that is compiled. */
  readonly quoted?: string;
}

interface ExpressionContext {
  readonly params: boolean;
  readonly hasVariables: boolean;
  /** Those of the policy that is replaced: they may use what only the newest version knows. */
  readonly storedTexts: ReadonlySet<string>;
}

/** Either kind: they have no name for different things. */
type StoredPolicy = v1.ValidatingAdmissionPolicy & v1.MutatingAdmissionPolicy;

/** Every expression of a stored policy, wherever it stands in it. */
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
  const run = (text: string, returns: readonly string[] | undefined, use: ExpressionUse) => {
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
