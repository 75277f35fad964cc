/** `; did you mean "apply"?` when one of the names is close to what was written, else ''. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const nearest = nearestName(written, names);
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}

/** As didYouMean; without a close name, lists the names when there are at most 12. */
export function suggestion(written: string, names: readonly string[]): string {
  const near = didYouMean(written, names);
  if (near !== '' || names.length === 0 || names.length > 12) return near;
  return `; there is ${names.join(', ')}`;
}

/** No name of Kubernetes is longer. */
const maxNameLength = 253;

/** The name with the fewest edits, if they are few: one in a word of four letters. Ignores case. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  if (written.length > maxNameLength) return undefined;
  const farthest = written.length < 5 ? 1 : Math.ceil(written.length / 2.5);
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    if (Math.abs(name.length - written.length) > farthest) continue;
    const edits = editsBetween(written.toLowerCase(), name.toLowerCase());
    if (edits <= farthest && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { name, edits };
  }
  return best?.name;
}

/** Insertions, deletions, replacements and swaps of neighbours, from one text to the other. */
function editsBetween(from: string, to: string): number {
  let rows: readonly (readonly number[])[] = [[], Array.from({ length: to.length + 1 }, (_one, index) => index)];
  for (let i = 0; i < from.length; i += 1) rows = [rows[1] ?? [], nextRow(rows, i, { from, to })];
  return rows[1]?.[to.length] ?? 0;
}

/** The edits from the first i + 1 letters to each prefix of `to`, computed from the two previous rows. */
function nextRow(
  [beforeLast = [], last = []]: readonly (readonly number[])[],
  i: number,
  { from, to }: { readonly from: string; readonly to: string },
): readonly number[] {
  const row = [i + 1];
  for (let j = 0; j < to.length; j += 1) {
    const replaced = edits(last, j) + (from[i] === to[j] ? 0 : 1);
    const isSwap = j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j];
    const swapped = isSwap ? edits(beforeLast, j - 1) + 1 : replaced;
    row.push(Math.min(replaced, swapped, edits(last, j + 1) + 1, edits(row, j) + 1));
  }
  return row;
}

const edits = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
