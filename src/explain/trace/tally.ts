import { setOwn } from '../../machinery/json/json.ts';
import { ownValue } from '../../machinery/meta/own-value.ts';

/** How often each text is there. */
export function tally(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const text of texts) setOwn(counts, text, (ownValue(counts, text) ?? 0) + 1);
  return counts;
}
