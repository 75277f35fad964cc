/** `; did you mean deniedBy?` when one of the names is close to what was written, else ''. */
export function didYouMean(written: string, names: Iterable<string>): string {
  const near = nearestName(written, names);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** The name that takes the fewest edits to get, if it takes few; upper and lower case are the same. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const farthest = Math.max(2, Math.ceil(written.length / 2.5));
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of names) {
    const edits = editsBetween(written.toLowerCase(), name.toLowerCase());
    if (edits <= farthest && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { name, edits };
  }
  return best?.name;
}

/** Letters put in, taken out or changed. */
function editsBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_one, index) => index);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...to].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
