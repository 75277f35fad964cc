import { codePointLength, codePointsUpTo } from '../syntax/code-points.ts';
import { mapEntries } from '../value/map-key.ts';
import { type CallCost, sizeOf, tenth } from '../value/value-text.ts';
import { isBox, isInt, isCelList, isMap, type CelResult } from '../value/value.ts';

const authorizerCheckCost = 350_000;
const selectorBaseCost = 10;
const selectorCostPerByte = 25;
const newListCost = 11;

const first: CallCost = (text) => tenth(sizeOf(text));
const twiceFirst: CallCost = (text) => Math.ceil(sizeOf(text) * 0.2);
const uncounted = 20_000_000;

/** The size of the result of `join`. */
const joinedSize: CallCost = (list, separator) => {
  if (!isCelList(list)) return 1;
  const between = typeof separator === 'string' ? sizeOf(separator) * Math.max(0, list.length - 1) : 0;
  return Math.ceil((between + sumOver(list, sizeOf)) * 0.2);
};

/** Stops once the sum exceeds every limit. */
function sumOver<T>(list: readonly T[], sizeOfOne: (element: T) => number): number {
  let sum = 0;
  for (const element of list) {
    sum += sizeOfOne(element);
    if (sum >= uncounted) break;
  }
  return sum;
}

const matched: CallCost = (text, pattern) => tenth(sizeOf(text) + 1) * Math.ceil(sizeOf(pattern) * 0.25);
const byTraversal: CallCost = (target) => traversal(target);

/** Scalars 1 each, strings and bytes a tenth of their length, rounded down. */
function traversal(value: CelResult | undefined): number {
  if (typeof value === 'string') return Math.floor(byteLength(value) * 0.1);
  if (value === undefined) return 1;
  if (value instanceof Uint8Array) return Math.floor(value.length * 0.1);
  if (isCelList(value)) return knownTraversal(value, () => sumOver(value, traversal));
  if (!isMap(value)) return 1;
  return knownTraversal(value, () => {
    return sumOver(mapEntries(value), ([key, element]) => traversal(key) + traversal(element));
  });
}

/** Costs above so many lists and maps are kept: lists of the same lists, nested, would hold the server for minutes. */
const manyTraversed = 4000;
/** How many lists and maps were gone through, ever. */
let traversed = 0;
const costsKnown = new WeakMap<object, number>();

/** What took long is kept: lists of the same lists, and these of the same again, would take for ever. */
function knownTraversal(value: object, cost: () => number): number {
  const known = costsKnown.get(value);
  if (known !== undefined) return known;
  const before = traversed;
  traversed += 1;
  const found = cost();
  if (traversed - before > manyTraversed) costsKnown.set(value, found);
  return found;
}

/** Of a text that can cost nothing, it does not matter how many there are. */
const byteLength = (text: string): number => (text.length < 4 ? 0 : new TextEncoder().encode(text).length);

const product = (a: CelResult, b: CelResult): number => sizeOf(a) * sizeOf(b);

const selector: CallCost = (_check, text) =>
  selectorBaseCost + tenth(sizeOf(text)) + selectorCostPerByte * sizeOf(text);

/** Bytes of the network part, as upstream measures a CIDR. */
const cidrSize = (value: CelResult | undefined): number =>
  value !== undefined && isBox(value, 'cidr') ? Math.ceil(value.value.bits / 8) : 1;

const parsedText = (value: CelResult | undefined): number => (typeof value === 'string' ? tenth(sizeOf(value)) : 0);

/** Sorting compares every pair; strings and bytes cost a little more each time. */
const sortCost = (list: CelResult | undefined): number => {
  const size = sizeOf(list);
  const element = list !== undefined && isCelList(list) ? list[0] : undefined;
  const perPair = typeof element === 'string' || element instanceof Uint8Array ? 2.1 : 2;
  return newListCost + Math.ceil(perPair * size * size);
};

const listMade: CallCost = (list) => newListCost + sizeOf(list);

const flattened: CallCost = (list, depth) => newListCost + sizeOf(list) * (typeof depth === 'number' ? depth : 1);

/** The calls that Kubernetes charges in its own way, by function. Follows apiserver pkg/cel/library/cost.go. */
const kubernetesCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['check', authorizerCheckCost],
  ['fieldSelector', selector],
  ['labelSelector', selector],
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf', 'includes'].map(
    (name): readonly [string, CallCost] => [name, byTraversal],
  ),
  ...'url lowerAscii upperAscii substring trim cidr isIP isCIDR ip quantity isQuantity semver isSemver jsonpatch.escapeKey'
    .split(' ')
    .map((name): readonly [string, CallCost] => [name, first]),
  ['replace', twiceFirst],
  ['split', twiceFirst],
  ['ip.isCanonical', twiceFirst],
  ['join', joinedSize],
  ['find', matched],
  ['findAll', matched],
  ['containsIP', (cidr, ip) => Math.ceil(cidrSize(cidr) * 0.2) + parsedText(ip)],
  ['containsCIDR', (cidr, other) => Math.ceil(cidrSize(cidr) * 0.2) + tenth(cidrSize(cidr)) + 1 + parsedText(other)],
  [
    'validate',
    (format, text) => {
      const size = format !== undefined && isBox(format, 'format') ? format.value.maxRegexSize : 1;
      return tenth(sizeOf(text) + 1) * Math.ceil(size * 0.25);
    },
  ],
  ['sets.contains', (a, b) => 1 + product(a, b)],
  ['sets.intersects', (a, b) => 1 + product(a, b)],
  ['sets.equivalent', (a, b) => 1 + 2 * product(a, b)],
  ['distinct', (list) => newListCost + 2 * sizeOf(list) ** 2],
  ['sort', (list) => sortCost(list)],
  ['@sortByAssociatedKeys', (_list, keys) => sortCost(keys)],
  ['flatten', flattened],
  ['reverse', listMade],
  ['slice', (_first, _second, made) => newListCost + sizeOf(made)],
  ['lists.range', (size) => newListCost + Math.max(0, size !== undefined && isInt(size) ? Number(size) : 1)],
]);

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
