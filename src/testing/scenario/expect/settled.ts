import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';

/** Objects by resource, or why they could not be counted. */
export type Counts = Readonly<Record<string, number | string>>;

export function checkSettled({ settled = {}, place }: Expectation, counts: Counts | undefined): readonly Failure[] {
  return Object.entries(settled).flatMap(([resource, wanted]) => {
    const found = counts?.[resource] ?? 'nobody looked';
    if (found === wanted) return [];
    const message =
      typeof found === 'string'
        ? `${resource}: ${found}`
        : `${wanted} ${resource} were expected when everything had come to rest, and there are ${found}`;
    return [{ what: 'settled', place, message }];
  });
}
