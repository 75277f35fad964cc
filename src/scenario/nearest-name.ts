/** `; did you mean "apply"?` when one of the names is close to what was written, else ''. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const nearest = nearestName(written, names);
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}

/** The same, or which names there are, when they are few. */
export function suggestion(written: string, names: readonly string[]): string {
  const near = didYouMean(written, names);
  if (near !== '' || names.length === 0 || names.length > 12) return near;
  return `; there is ${names.join(', ')}`;
}

/** The name that takes the fewest edits to get, if it takes few; upper and lower case are the same. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const farthest = Math.max(2, Math.floor(written.length / 3));
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = editsBetween(written.toLowerCase(), name.toLowerCase());
    if (edits <= farthest && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { name, edits };
  }
  return best?.name;
}

/** Insertions, deletions and replacements, and swaps of neighbours, from one text to the other. */
function editsBetween(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_one, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      const replaced = (last[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      const isSwap = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j];
      const swapped = isSwap ? (beforeLast[j - 1] ?? 0) + 1 : replaced;
      row.push(Math.min(replaced, swapped, (last[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length] ?? 0;
}
