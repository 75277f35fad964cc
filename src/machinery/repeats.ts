/** Which of the texts have stood in the list before, by index. */
export function repeatsIn(texts: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const repeats = new Set<number>();
  for (const [index, text] of texts.entries()) {
    if (seen.has(text)) repeats.add(index);
    seen.add(text);
  }
  return repeats;
}

/** Has the set this text already? Adds it if not. */
export function isDuplicate(seen: Set<string>, text: string): boolean {
  if (seen.has(text)) return true;
  seen.add(text);
  return false;
}
