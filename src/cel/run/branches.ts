import { childrenOf, type ComprehensionExpr, type Expr } from '../syntax/ast.ts';
import { accumulator } from '../syntax/macro-fold.ts';
import { createSourceText } from '../syntax/source-text.ts';
import { CelError, type CelResult } from '../value/value.ts';
import type { Compiled } from './compile.ts';
import { evaluate, type EvaluationOptions, type Variables } from './evaluate.ts';

/**
 * A part of an expression that is a branch: the whole, an operand of `&&` or `||`, the condition of `?:`, a macro whose
 * value is a bool, and the predicate of a macro.
 */
export type BranchRole = 'result' | 'operand' | 'condition' | 'macro' | 'element';

/** How often a branch had each result; all 0 when it was not reached. */
export interface BranchCount {
  readonly role: BranchRole;
  readonly expression: string;
  readonly true: number;
  readonly false: number;
  readonly error: number;
}

/** Must the whole expression be a bool? A variable may have any type. */
export type ExpectedType = 'bool' | 'any';

/** Evaluates once more and counts the values of every deciding part, the whole first. Ours. */
export function countBranches(
  { compiled, whole }: { readonly compiled: Compiled; readonly whole: ExpectedType },
  variables: Variables,
  options: EvaluationOptions,
): readonly BranchCount[] {
  const parts = findDecisions(compiled, whole);
  const places = new Map([...new Set(parts.flatMap(({ watched }) => watched))].map((id, at) => [id, at * kinds]));
  const counts = Array.from({ length: places.size * kinds }, () => 0);
  const observe = (id: number, result: CelResult): void => {
    const at = (places.get(id) ?? NaN) + resultKind(result);
    if (at in counts) counts[at] = (counts[at] ?? 0) + 1;
  };
  evaluate(compiled, variables, { ...options, observe });
  const countsOf = (id: number): ResultCounts => {
    const at = places.get(id) ?? 0;
    const [isTrue = 0, isFalse = 0, error = 0] = counts.slice(at, at + kinds);
    return { true: isTrue, false: isFalse, error };
  };
  return parts.map((part) => ({ role: part.role, expression: part.expression, ...countDecision(part, countsOf) }));
}

type ResultCounts = Pick<BranchCount, 'true' | 'false' | 'error'>;

/** True, false, an error, anything else. */
const kinds = 4;

function resultKind(result: CelResult): number {
  if (result === true || result === false) return result ? 0 : 1;
  return result instanceof CelError ? 2 : 3;
}

const noResults: ResultCounts = { true: 0, false: 0, error: 0 };

interface Decision {
  readonly role: BranchRole;
  readonly expression: string;
  /** Its id; for a path also those of its prefixes, the longest first. */
  readonly watched: readonly number[];
  readonly isPath: boolean;
}

/** A path that is a whole operand reports twice; one that failed before its last step reports only there. */
function countDecision({ watched, isPath }: Decision, tallyOf: (id: number) => ResultCounts): ResultCounts {
  const [own = noResults, ...inner] = watched.map(tallyOf);
  const times = (count: number): number => (isPath ? Math.ceil(count / 2) : count);
  const failed = own.error > 0 ? undefined : inner.find(({ error }) => error > 0);
  return { true: times(own.true), false: times(own.false), error: times(own.error) || (failed?.error ?? 0) };
}

function findDecisions(compiled: Compiled, whole: ExpectedType): readonly Decision[] {
  const { checked, source } = compiled;
  const textOf = createSourceText(checked.ast, source.text);
  const isBool = (expr: Expr): boolean => checked.typeOf(expr.id).kind === 'bool';
  const { root } = checked.ast;
  const roles = new Map<Expr, BranchRole>(whole === 'bool' || isBool(root) ? [[root, 'result']] : []);
  const visit = (expr: Expr): void => {
    if (expr.type === 'comprehension' && !roles.has(expr) && isBool(expr)) {
      roles.set(expr, 'macro');
    }
    for (const [part, role] of decidingParts(expr))
      if (!roles.has(part) && part.type !== 'constant') roles.set(part, role);
    childrenOf(expr).forEach(visit);
  };
  visit(root);
  return [...roles].map(([expr, role]): Decision => ({
    role,
    expression: textOf(expr),
    watched: pathIds(expr),
    isPath: isPath(expr) || expr.type === 'ident',
  }));
}

/** The parts whose value decides the value of this expression. */
function decidingParts(expr: Expr): readonly (readonly [Expr, BranchRole])[] {
  if (expr.type === 'comprehension') return elementPredicate(expr).map((part) => [part, 'element']);
  if (expr.type !== 'call') return [];
  const [first] = expr.args;
  if (expr.name === '_?_:_' && first !== undefined) return [[first, 'condition']];
  if (expr.name !== '_&&_' && expr.name !== '_||_') return [];
  return operands(expr, expr.name).flatMap((part) => (isCollected(part) ? [] : [[part, 'operand']]));
}

/** Of `a && b && c` all three. */
const operands = (expr: Expr, name: string): readonly Expr[] =>
  expr.type === 'call' && expr.name === name ? expr.args.flatMap((part) => operands(part, name)) : [expr];

const isCollected = (expr: Expr): boolean => expr.type === 'ident' && expr.name === accumulator;

/** The predicate of `all`, `exists`, `exists_one` and `filter`. */
function elementPredicate({ step }: ComprehensionExpr): readonly Expr[] {
  if (step.type !== 'call') return [];
  const [first, second] = step.args;
  if (step.name === '_?_:_') return first === undefined ? [] : [first];
  const isShortCircuit = (step.name === '_&&_' || step.name === '_||_') && first !== undefined && isCollected(first);
  return isShortCircuit && second !== undefined ? [second] : [];
}

export const isPath = (expr: Expr): boolean =>
  (expr.type === 'select' && !expr.testOnly) || (expr.type === 'call' && ['_[_]', '_[?_]', '_?._'].includes(expr.name));

function pathIds(expr: Expr): readonly number[] {
  const [operand] = isPath(expr) ? childrenOf(expr) : [];
  return operand === undefined ? [expr.id] : [expr.id, ...pathIds(operand)];
}
