/** One shared empty list, so that validating a valid object allocates nothing. */
export const emptyList: readonly never[] = [];

/** All items of the parts in their order; `emptyList` when there are none. */
export function concat<T>(...parts: readonly (readonly T[])[]): readonly T[] {
  let all: T[] | undefined;
  for (const part of parts) {
    if (part.length === 0) continue;
    all ??= [];
    for (const item of part) all.push(item);
  }
  return all ?? emptyList;
}

/** The indexes of texts that occur earlier in the list. */
export function duplicateIndexes(texts: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const repeats = new Set<number>();
  for (const [index, text] of texts.entries()) {
    if (seen.has(text)) repeats.add(index);
    seen.add(text);
  }
  return repeats;
}

/** Does the set contain the text already? Adds it if not. */
export function isDuplicate(seen: Set<string>, text: string): boolean {
  if (seen.has(text)) return true;
  seen.add(text);
  return false;
}

/** The items by key, in the order of the first item of each. */
export function groupBy<Key, Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** `1 file`, `2 files`. */
export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

export const permutations = (items: readonly string[]): readonly (readonly string[])[] =>
  items.length <= 1
    ? [items]
    : items.flatMap((first) => permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]));
