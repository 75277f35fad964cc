import type { Checked } from '../check/checker.ts';
import { type Compilation, compile, type Compiled } from '../run/compile.ts';
import { estimateCost } from '../estimate/estimate-cost.ts';
import { ruleEnvironment, type RuleOptions, type RuleScope, schemaSizes } from './rule-scope.ts';

/** A rule of a custom resource, or its message, ready to run. */
export interface CompiledRule {
  readonly compiled: Compiled;
  /** Does it refer to `oldSelf`, so that it only runs in an update? */
  readonly usesOldSelf: boolean;
  /** The most that it can cost by the limits of the schema. */
  readonly maxCost: bigint;
}

export type RuleCompilation =
  | { readonly outcome: 'compiled'; readonly rule: CompiledRule }
  | { readonly outcome: 'failed'; readonly error: string };

/** Compiles a rule. Follows apiextensions-apiserver pkg/apiserver/schema/cel/compilation.go. */
export const compileRule = (scope: RuleScope, expression: string, options: RuleOptions): RuleCompilation =>
  toRuleCompilation(scope, compile(expression, ruleEnvironment(scope, options), requireType('bool', notBool)));

const notBool = 'cel expression must evaluate to a bool';
const notText = 'messageExpression must evaluate to a string';

/** Compiles a messageExpression. */
export function compileRuleMessage(scope: RuleScope, expression: string, options: RuleOptions): RuleCompilation {
  const ruleCompilation = toRuleCompilation(
    scope,
    compile(expression, ruleEnvironment(scope, options), requireType('string', notText)),
  );
  if (ruleCompilation.outcome === 'compiled' || ruleCompilation.error === notText) return ruleCompilation;
  const error = ruleCompilation.error.replace(/^program instantiation/, 'instantiation');
  return { outcome: 'failed', error: `messageExpression ${error}` };
}

const requireType =
  (kind: string, message: string) =>
  ({ type }: Checked): string | undefined =>
    type.kind === kind ? undefined : message;

function toRuleCompilation(scope: RuleScope, compilation: Compilation): RuleCompilation {
  if (compilation.outcome === 'failed') return compilation;
  const { compiled } = compilation;
  const { checked } = compiled;
  const { max: maxCost } = estimateCost(checked, schemaSizes(scope));
  return { outcome: 'compiled', rule: { compiled, usesOldSelf: refersToVariable(checked, 'oldSelf'), maxCost } };
}

const refersToVariable = ({ references }: Checked, variable: string): boolean =>
  [...references.values()].some((reference) => reference.means === 'ident' && reference.declared.name === variable);
