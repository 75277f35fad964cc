import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import type { Shown } from './shown.ts';

/** How long the request took on the world's clock. */
export function checkElapsed({ elapsedMs, place }: Expectation, { answer }: Shown): readonly Failure[] {
  if (elapsedMs === undefined) return [];
  const { min, max } = elapsedMs;
  const took = answer.milliseconds;
  if (took >= min && took <= max) return [];
  return [{ what: 'elapsed', place, message: `${rangeText(min, max)} was expected, and it took ${round(took)} ms` }];
}

function rangeText(min: number, max: number): string {
  if (min === 0) return `at most ${max} ms`;
  return max === Number.POSITIVE_INFINITY ? `at least ${min} ms` : `${min} to ${max} ms`;
}

const round = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
