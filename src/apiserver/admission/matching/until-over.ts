import type { Clock } from '../../../machinery/clock.ts';
import type { CallLimits } from '../chain/chain-plugin.ts';
import type { Expressions } from './expressions.ts';

/**
 * The same ports, with expressions that end when nobody waits for their request any more: its time is over, or its client
 * gone. Only their cost ends them before that. Follows apiserver pkg/admission/plugin/cel/activation.go, which hands them
 * the request's context.
 */
export function untilOver<P extends { readonly expressions?: Expressions | undefined; readonly clock: Clock }>(
  ports: P,
  { deadline, signal }: CallLimits,
): P {
  const { expressions, clock } = ports;
  if (expressions === undefined) return ports;
  const isOver = (): boolean => signal?.aborted === true || clock.now() >= deadline.at();
  const evaluator: Expressions['evaluator'] = (variables, composed, told) =>
    expressions.evaluator(variables, composed, told, isOver);
  return { ...ports, expressions: { ...expressions, evaluator } };
}
