import type { SourceLocation, TextExpectation } from '../format.ts';
import type { Failure } from '../outcome.ts';

/** A pattern may match any part. */
export const textMatches = (expected: TextExpectation, actual: string): boolean =>
  'exact' in expected ? expected.exact === actual : actual.search(expected.pattern) >= 0;

/** For a message: the text in quotes, or the pattern between slashes. */
export const expectedText = (expected: TextExpectation): string =>
  'exact' in expected ? JSON.stringify(expected.exact) : String(expected.pattern);

/** For a diff with one text per line. */
export const expectedLine = (expected: TextExpectation): string =>
  'exact' in expected ? expected.exact : String(expected.pattern);

/** Exactly these texts, in order. */
export function checkTexts(
  expected: readonly TextExpectation[],
  actual: readonly string[],
  { what, place }: { readonly what: string; readonly place: SourceLocation },
): readonly Failure[] {
  const same =
    expected.length === actual.length && expected.every((one, index) => textMatches(one, actual[index] ?? ''));
  if (same) return [];
  const wanted = expected.length === 0 ? 'none' : expected.map(expectedText).join(', ');
  const was = actual.length === 0 ? 'there are none' : `there ${actual.length === 1 ? 'is' : 'are'} ${quoted(actual)}`;
  const message = `${wanted} ${expected.length > 1 ? 'were' : 'was'} expected, and ${was}`;
  return [{ what, place, message, expected: lines(expected.map(expectedLine)), actual: lines(actual) }];
}

const quoted = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ');

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
