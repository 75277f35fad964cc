import { check } from 'recheck';
import { expect, test } from 'vitest';
import { type FoundRegexp, regexpsOfSources } from './regexps-in.ts';
import { reviewed } from './reviewed.ts';

// Automata check all expressions without backreferences within a second or two. A minute is enough on a busy machine, and ends
// an infinite search.
const limits = { maxRepeatCount: 1000, timeout: 60_000, attackTimeout: null, incubationTimeout: null } as const;

const isReviewed = (one: FoundRegexp): boolean =>
  one.isKnown && reviewed.some(({ file, code }) => file === one.file && code === one.code);

/** Expressions whose time is not linear, each with a text that shows it. */
async function fault({ place, code, source, flags }: FoundRegexp): Promise<string | undefined> {
  const found = await check(source, flags, limits);
  if (found.status === 'safe') return undefined;
  return found.status === 'unknown'
    ? `${place} ${code} could not be checked: ${found.error.kind}`
    : `${place} ${code} is ${found.complexity.type}, shown by ${found.attack.pattern}`;
}

test('every regular expression of the sources is linear, or reviewed', async () => {
  const different = new Map(regexpsOfSources().map((one) => [`${one.source} ${one.flags}`, one]));
  const faults: string[] = [];
  const left = [...different.values()].filter((one) => !isReviewed(one)).values();
  const checkOthers = async (): Promise<void> => {
    for (const one of left) {
      const found = await fault(one);
      if (found !== undefined) faults.push(found);
    }
  };
  await Promise.all([checkOthers(), checkOthers()]);
  expect(faults).toEqual([]);
});
