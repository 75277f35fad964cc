import { childrenOf, type Expr } from '../syntax/ast.ts';
import type { Compiled } from './compile.ts';
import { evaluate, type EvaluationOptions, type Variables } from './evaluate.ts';
import { unparse } from '../syntax/unparse.ts';
import { CelError, type CelResult } from '../value/value.ts';
import { valueText } from '../value/value-text.ts';

/** The value of one part of an expression: `object.metadata.labels.run` and `"no"`. */
export interface PartValue {
  readonly expression: string;
  readonly value: string;
}

/**
 * Evaluates once more and returns the values of the fields that the expression read, in the order of the text: each
 * path from a variable once, with its value or with the error of the step that failed. Ours.
 */
export function explainValues(
  compiled: Compiled,
  variables: Variables,
  options: EvaluationOptions = {},
): readonly PartValue[] {
  const seen = new Map<number, CelResult>();
  evaluate(compiled, variables, { ...options, observe: (id, result) => seen.set(id, result) });
  const parts = new Map<string, string>();
  for (const path of pathsIn(compiled.checked.ast.root)) {
    const found = observed(path, seen);
    if (found !== undefined) parts.set(found.expression, found.value);
  }
  return [...parts].map(([expression, value]) => ({ expression, value }));
}

const isPath = (expr: Expr): boolean =>
  expr.type === 'select' || (expr.type === 'call' && ['_[_]', '_[?_]', '_?._'].includes(expr.name));

/** The longest paths; what is inside a loop has a value for each round and is left out. */
function pathsIn(expr: Expr): readonly Expr[] {
  if (isPath(expr) || expr.type === 'ident') return [expr];
  if (expr.type === 'comprehension') return pathsIn(expr.range);
  return childrenOf(expr).flatMap(pathsIn);
}

/** The value of the path; of one that failed, the part at which it did. */
function observed(path: Expr, seen: ReadonlyMap<number, CelResult>): PartValue | undefined {
  const expression = unparse(path);
  const result = seen.get(path.id);
  const [inner] = path.type === 'ident' ? [] : childrenOf(path);
  const failedBefore = inner !== undefined && result instanceof CelError && seen.get(inner.id) === result;
  if (expression !== undefined && result !== undefined && !failedBefore) {
    return { expression, value: result instanceof CelError ? result.message : valueText(result) };
  }
  return inner && observed(inner, seen);
}
