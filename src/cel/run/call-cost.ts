import { codePointLength, codePointsUpTo } from '../syntax/code-points.ts';
import { kubernetesCosts } from './library-cost.ts';
import { sizeOf, tenth } from '../value/size.ts';
import type { CallCost } from '../value/size.ts';

/** The cost of a call; `overload` is empty when the checker left several. Follows cel-go interpreter/runtimecost.go. */
export const costOf = (name: string, overload: string): CallCost =>
  kubernetesCosts.get(name) ?? overloadCosts.get(overload) ?? 1;

const firstTraversed: CallCost = (a) => tenth(sizeOf(a));

/** Comparing costs a tenth of the smaller side. */
const smaller: CallCost = (a, b) =>
  typeof a === 'string' && typeof b === 'string' ? smallerText(a, b) : tenth(Math.min(sizeOf(a), sizeOf(b)));

/** Counts code points only where they decide: not in short texts, nor in one that is more than twice as long. */
const smallerText = (a: string, b: string): number => (a.length <= b.length ? smallerOf(a, b) : smallerOf(b, a));

function smallerOf(short: string, long: string): number {
  const { length } = short;
  if (length <= 10) return length === 0 ? 0 : 1;
  if (short === long || length * 2 <= long.length) return tenth(codePointLength(short));
  return tenth(codePointsUpTo(long, codePointLength(short)));
}

const joined: CallCost = (a, b) => tenth(sizeOf(a) + sizeOf(b));

const matched: CallCost = (text, pattern) => tenth(sizeOf(text) + 1) * Math.ceil(sizeOf(pattern) * 0.25);

const comparisons = ['less', 'less_equals', 'greater', 'greater_equals'];

const overloadCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['starts_with_string', firstTraversed],
  ['ends_with_string', firstTraversed],
  ['string_to_bytes', firstTraversed],
  ['bytes_to_string', firstTraversed],
  ['strings_quote', firstTraversed],
  ['string_format', firstTraversed],
  ['in_list', (_needle, list) => sizeOf(list)],
  ['equals', smaller],
  ['not_equals', smaller],
  ...comparisons.flatMap((name): readonly [string, CallCost][] => [
    [`${name}_string`, smaller],
    [`${name}_bytes`, smaller],
  ]),
  ['add_string', joined],
  ['add_bytes', joined],
  ['matches_string', matched],
  ['contains_string', (a, b) => tenth(sizeOf(a)) * tenth(sizeOf(b))],
]);
