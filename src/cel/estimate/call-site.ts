import type { Estimator } from './estimator.ts';
import type { Expr } from '../syntax/ast.ts';
import type { Span } from './span.ts';

/** What a call itself costs, without its arguments, and how large its result is when that is known. */
export interface CallEstimate {
  readonly cost: Span;
  readonly size?: Span | undefined;
}

/** A call as the estimates see it: a receiver, if it has one, and arguments. */
export interface CallSite {
  readonly estimator: Estimator;
  readonly name: string;
  readonly overload: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
  /** The size of an expression, or all that can be. */
  readonly size: (expr: Expr | undefined) => Span;
}
