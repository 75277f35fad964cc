import { call, constant, ident, list } from './node-factory.ts';
import type { ComprehensionExpr, Constant, Expr } from './ast.ts';

/** Ports of a macro: new ids at the position of its call, and error reporting. */
export interface MacroContext {
  readonly id: () => number;
  /** A copy of an expression with new ids at the same positions. */
  readonly copy: (expr: Expr) => Expr;
}

/** An error about the argument with this id. */
export interface MacroError {
  readonly type: 'macro-error';
  readonly id: number;
  readonly message: string;
}

export type Expand = (context: MacroContext, target: Expr, args: readonly Expr[]) => Expr | MacroError;

/** The accumulator variable of a fold; expressions cannot name it. */
export const accumulator = '@result';

export const macroError = (expr: Expr, message: string): MacroError => ({ type: 'macro-error', id: expr.id, message });

/** A fold before it has an id. */
export interface Fold extends Omit<ComprehensionExpr, 'type' | 'id' | 'variable' | 'variable2'> {
  readonly variables: readonly [string, string?];
}

export const createFold = ({ id }: MacroContext, { variables, ...fold }: Fold): Expr => ({
  type: 'comprehension',
  id: id(),
  ...fold,
  variable: variables[0],
  variable2: variables[1],
});

export const literal = ({ id }: MacroContext, value: Constant): Expr => constant(id(), value);
export const literalBool = (context: MacroContext, value: boolean): Expr => literal(context, { type: 'bool', value });
export const accumulatorIdent = ({ id }: MacroContext): Expr => ident(id(), accumulator);
export const globalCall = ({ id }: MacroContext, name: string, ...args: readonly Expr[]): Expr =>
  call(id(), name, ...args);
export const listExpr = ({ id }: MacroContext, ...elements: readonly Expr[]): Expr => list(id(), elements);

/** The parts of a fold that differ between the quantifiers and the collectors. */
type Loop = Pick<Fold, 'init' | 'condition' | 'step' | 'result'>;

/** Stops at the first element that is false. */
export const allLoop = (context: MacroContext, predicate: Expr): Loop => ({
  init: literalBool(context, true),
  condition: globalCall(context, '@not_strictly_false', accumulatorIdent(context)),
  step: globalCall(context, '_&&_', accumulatorIdent(context), predicate),
  result: accumulatorIdent(context),
});

/** Stops at the first element that is true. */
export const existsLoop = (context: MacroContext, predicate: Expr): Loop => ({
  init: literalBool(context, false),
  condition: globalCall(context, '@not_strictly_false', globalCall(context, '!_', accumulatorIdent(context))),
  step: globalCall(context, '_||_', accumulatorIdent(context), predicate),
  result: accumulatorIdent(context),
});

/** Counts without stopping early; keeps the first error. */
export const existsOneLoop = (context: MacroContext, predicate: Expr): Loop => ({
  init: literal(context, { type: 'int', value: 0n }),
  condition: literalBool(context, true),
  step: globalCall(
    context,
    '_?_:_',
    predicate,
    globalCall(context, '_+_', accumulatorIdent(context), literal(context, { type: 'int', value: 1n })),
    accumulatorIdent(context),
  ),
  result: globalCall(context, '_==_', accumulatorIdent(context), literal(context, { type: 'int', value: 1n })),
});

/** Adds an element for each iteration, or for those that the filter accepts. */
export function listLoop(context: MacroContext, element: Expr, filter?: Expr): Loop {
  const added = globalCall(context, '_+_', accumulatorIdent(context), listExpr(context, element));
  return {
    init: listExpr(context),
    condition: literalBool(context, true),
    step: filter === undefined ? added : globalCall(context, '_?_:_', filter, added, accumulatorIdent(context)),
    result: accumulatorIdent(context),
  };
}
