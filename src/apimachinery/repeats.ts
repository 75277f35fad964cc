import { onceInTurns } from './in-turns.ts';

/** So many are looked at again when the work around them is begun again. */
const few = 1_000;

/** Which of the texts have stood in the list before: by index, in time that grows with the list. */
export const repeatsIn = (texts: readonly string[]): ReadonlySet<number> =>
  texts.length <= few ? repeatsOf(texts) : onceInTurns(() => repeatsOf(texts));

function repeatsOf(texts: readonly string[]): ReadonlySet<number> {
  const seen = new Set<string>();
  const repeats = new Set<number>();
  for (const [index, text] of texts.entries()) {
    if (seen.has(text)) repeats.add(index);
    seen.add(text);
  }
  return repeats;
}
