import type { Clock } from '../../../machinery/clock.ts';
import type { CallLimits } from '../chain/create-chain.ts';
import type { Expressions } from './expressions.ts';

/**
 * Ends evaluation when the request's deadline passes or its client is gone. Follows apiserver
 * pkg/admission/plugin/cel/activation.go, which passes the request's context.
 */
export function withRequestContext<P extends { readonly expressions?: Expressions | undefined; readonly clock: Clock }>(
  ports: P,
  { deadline, signal }: CallLimits,
): P {
  const { expressions, clock } = ports;
  if (expressions === undefined) return ports;
  const isOver = (): boolean => signal?.().aborted === true || clock.now() >= deadline.at();
  const evaluator: Expressions['evaluator'] = (variables, composed, onVariable) =>
    expressions.evaluator(variables, composed, onVariable, isOver);
  return { ...ports, expressions: { ...expressions, evaluator } };
}
