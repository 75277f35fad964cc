import { compareTexts } from './compare-texts.ts';
import { isInTurns, stepsInTurns } from './in-turns.ts';
import type { Steps } from './pause.ts';

/** So many are sorted at once. */
const few = 2_000;

/** The texts in the order of their characters. Of very many, others are let in meanwhile. */
export const sortedTexts = (texts: string[]): readonly string[] =>
  texts.length > few && isInTurns() ? stepsInTurns(() => sortInSteps(texts, compareTexts)) : texts.sort();

/** So many comparisons of a merge are one step. */
const piece = 1_000;

/** Sorts in steps: pieces are sorted, then merged. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  if (items.length <= piece) return items.toSorted(compare);
  const middle = Math.ceil(items.length / 2);
  const left = yield* sortInSteps(items.slice(0, middle), compare);
  yield;
  const right = yield* sortInSteps(items.slice(middle), compare);
  yield;
  const all: T[] = [];
  for (let [l, r] = [0, 0]; all.length < items.length;) {
    const [a, b] = [left[l], right[r]];
    const next = b === undefined || (a !== undefined && compare(a, b) <= 0) ? a : b;
    if (next === undefined) break;
    if (next === a) l += 1;
    else r += 1;
    all.push(next);
    if (all.length % piece === 0) yield;
  }
  return all;
}
