import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import type { Shown } from './shown.ts';

/** What machines need besides, and how far their timers may be off. */
const slowness = 1000;
const jitter = 20;

/** How long the request took on the world's clock. A real one is given some slack. */
export function checkElapsed({ elapsedMs, place }: Expectation, { answer, clock }: Shown): readonly Failure[] {
  if (elapsedMs === undefined) return [];
  const { min, max } = elapsedMs;
  const took = answer.milliseconds;
  const [before, after] = clock === 'real' ? [jitter, Math.max(slowness, max / 5)] : [0, 0];
  if (took >= min - before && took <= max + after) return [];
  return [{ what: 'elapsed', place, message: `${rangeText(min, max)} was expected, and it took ${round(took)} ms` }];
}

function rangeText(min: number, max: number): string {
  if (min === max) return `${min} ms`;
  if (min === 0) return `at most ${max} ms`;
  return max === Number.POSITIVE_INFINITY ? `at least ${min} ms` : `${min} to ${max} ms`;
}

const round = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
