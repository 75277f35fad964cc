import { requestSeconds } from '../../machinery/meta/deadline.ts';
import type { ChainStep } from '../trace/chain-document.ts';

/** The longest time that the webhooks of a request may take, in seconds. */
export interface TimeBudget {
  /** In sequence. */
  readonly mutating: number;
  /** Webhooks with reinvocationPolicy IfNeeded, again. */
  readonly secondRound: number;
  /** In parallel: the slowest. */
  readonly validating: number;
  readonly most: number;
  /** The deadline of the request. */
  readonly given: number;
}

/** Skipped and assumed webhooks take no time. */
export function timeBudget(steps: readonly ChainStep[]): TimeBudget {
  const asked = steps.filter(
    ({ type, outcome, assumed }) =>
      type === 'webhook' && outcome !== 'skipped' && outcome !== 'refuses' && assumed === undefined,
  );
  const seconds = ({ timeoutSeconds = 10 }: ChainStep): number => timeoutSeconds;
  const sum = (some: readonly ChainStep[]): number => some.reduce((total, one) => total + seconds(one), 0);
  const mutators = asked.filter(({ phase }) => phase === 'mutating');
  const mutating = sum(mutators);
  const again = mutators.filter(({ reinvocationPolicy }) => reinvocationPolicy === 'IfNeeded');
  const secondRound = sum(again);
  const validating = Math.max(0, ...asked.filter(({ phase }) => phase === 'validating').map(seconds));
  return { mutating, secondRound, validating, most: mutating + secondRound + validating, given: requestSeconds };
}

/** `at worst 10 s mutating + 10 s validating = 20 s of the 34 s that a request has`. */
export function budgetSentence({ mutating, secondRound, validating, most, given }: TimeBudget): string {
  if (most === 0) return `no webhook is called: 0 s of the ${given} s that a request has`;
  const parts = [
    ...(mutating === 0 ? [] : [`${mutating} s mutating, one after the other`]),
    ...(secondRound === 0 ? [] : [`${secondRound} s called again`]),
    ...(validating === 0 ? [] : [`${validating} s validating, the slowest`]),
  ];
  const sum = `at worst ${parts.join(' + ')} = ${most} s of the ${given} s that a request has`;
  return most > given ? `${sum}: the last ones get less than their timeoutSeconds` : sum;
}
