import { childrenOf, type Expr, walk } from '../syntax/ast.ts';
import type { Compiled } from './compile.ts';
import { evaluate, type EvaluationOptions, type Variables } from './evaluate.ts';
import { unparse } from '../syntax/unparse.ts';
import { CelError, type CelResult } from '../value/value.ts';
import { renderValue } from '../value/value-text.ts';
import { isPath } from './branches.ts';
import type { Checked } from '../check/checker.ts';
import { createSourceText } from '../syntax/source-text.ts';

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
  const results = new Map<number, CelResult>();
  evaluate(compiled, variables, { ...options, observe: (id, result) => results.set(id, result) });
  const parts = new Map<string, string>();
  for (const path of findPaths(compiled.checked.ast.root)) {
    const observed = observedPath(path, results);
    if (observed !== undefined) parts.set(observed.expression, observed.value);
  }
  return [...parts].map(([expression, value]) => ({ expression, value }));
}

const isPathOrPresence = (expr: Expr): boolean => expr.type === 'select' || isPath(expr);

/** The longest paths, without those inside a loop, which have a value per iteration. */
function findPaths(expr: Expr): readonly Expr[] {
  if (isPathOrPresence(expr) || expr.type === 'ident') return [expr];
  if (expr.type === 'comprehension') return findPaths(expr.range);
  return childrenOf(expr).flatMap(findPaths);
}

/** The value of the path; of one that failed, the part at which it did. */
function observedPath(path: Expr, results: ReadonlyMap<number, CelResult>): PartValue | undefined {
  const expression = unparse(path);
  const result = results.get(path.id);
  const [inner] = path.type === 'ident' ? [] : childrenOf(path);
  const failedBefore = inner !== undefined && result instanceof CelError && results.get(inner.id) === result;
  if (expression !== undefined && result !== undefined && !failedBefore) {
    return { expression, value: result instanceof CelError ? result.message : renderValue(result) };
  }
  return inner && observedPath(inner, results);
}

/** A part of an expression as written, and its value. */
export interface ExplainedExpression {
  readonly expression: string;
  /** Empty when it was not evaluated; several for a part that a loop evaluated. */
  readonly results: readonly CelResult[];
  readonly parts: readonly ExplainedExpression[];
}

/** More rounds than a reader needs. */
const maxResults = 1000;

/** Evaluates once more and returns the value of every part, as a tree without literals. Ours. */
export function explainTree(compiled: Compiled, variables: Variables, options: EvaluationOptions): ExplainedExpression {
  const resultsById = new Map<number, CelResult[]>();
  const observe = (id: number, result: CelResult): void => {
    const results = resultsById.get(id) ?? [];
    if (results.length < maxResults) results.push(result);
    resultsById.set(id, results);
  };
  evaluate(compiled, variables, { ...options, observe });
  const { checked, source } = compiled;
  const textOf = createSourceText(checked.ast, source.text);
  const explained = (expr: Expr): ExplainedExpression => {
    const results = collectResults(expr, resultsById);
    return { expression: textOf(expr), results, parts: variableParts(expr, results, checked).map(explained) };
  };
  return explained(checked.ast.root);
}

type ResultsById = ReadonlyMap<number, readonly CelResult[]>;

/** A path that is a whole operand reports twice, for its last step and for the path; one that failed before, not at all. */
function collectResults(expr: Expr, resultsById: ResultsById): readonly CelResult[] {
  const results = resultsById.get(expr.id) ?? [];
  if (!isPath(expr) && expr.type !== 'ident') return results;
  const [operand] = childrenOf(expr);
  if (results.length === 0 && operand !== undefined) return collectResults(operand, resultsById).filter(isError);
  const isTwice = results.length % 2 === 0 && results.every((result, index) => Object.is(result, results[index ^ 1]));
  return isTwice ? results.filter((_result, index) => index % 2 === 0) : results;
}

const isError = (result: CelResult): boolean => result instanceof CelError;

function variableParts(expr: Expr, results: readonly CelResult[], { ast, references }: Checked): readonly Expr[] {
  const offsetOf = (id: number): number => ast.offsets.get(id) ?? -1;
  const parts = expr.type === 'comprehension' ? findWrittenParts(expr, offsetOf) : childrenOf(expr);
  // A path is one part, unless it failed: then its prefix is shown too.
  const hidden = isPath(expr) && !results.some(isError) ? childrenOf(expr)[0] : undefined;
  return parts.filter((part) => part !== hidden && mentionsVariable(part, references));
}

/** The parts that the author wrote: the expansion of a macro has the macro's own position, its arguments have theirs. */
function findWrittenParts(macro: Expr, offsetOf: (id: number) => number): readonly Expr[] {
  return childrenOf(macro).flatMap((child) =>
    offsetOf(child.id) === offsetOf(macro.id) ? findWrittenParts(child, offsetOf) : [child],
  );
}

/** Neither literals, nor types, nor the first half of a function's name. */
function mentionsVariable(expr: Expr, references: Checked['references']): boolean {
  let isMentioned = false;
  walk(expr, ({ id }) => {
    const reference = references.get(id);
    isMentioned ||= reference?.means === 'local' && !reference.name.startsWith('@');
    isMentioned ||= reference?.means === 'ident' && reference.declared.declared === 'variable';
  });
  return isMentioned;
}
