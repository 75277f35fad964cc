import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';

/** Objects by resource, or why they could not be counted. */
export type Counts = Readonly<Record<string, number | string>>;

export function checkObjectCounts(
  { settled = {}, place }: Expectation,
  counts: Counts | undefined,
): readonly Failure[] {
  return Object.entries(settled).flatMap(([resource, wanted]) => {
    const found = counts?.[resource] ?? 'not counted';
    if (found === wanted) return [];
    const message =
      typeof found === 'string'
        ? `${resource}: ${found}`
        : `${wanted} ${resource} were expected once the controllers were idle, and there are ${found}`;
    return [{ what: 'settled', place, message }];
  });
}
