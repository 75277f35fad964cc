import { stringify } from 'yaml';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { nearestName } from '../../../machinery/nearest-name.ts';
import type { Expectation, SourceLocation, TextExpectation } from '../format.ts';
import type { FailurePath, Failure } from '../outcome.ts';
import type { StepObservation } from './step-observation.ts';

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
  { what, place }: { readonly what: FailurePath; readonly place: SourceLocation },
): readonly Failure[] {
  const same =
    expected.length === actual.length && expected.every((one, index) => textMatches(one, actual[index] ?? ''));
  if (same) return [];
  const expectedTexts = expected.length === 0 ? 'none' : expected.map(expectedText).join(', ');
  const was =
    actual.length === 0 ? 'there are none' : `there ${actual.length === 1 ? 'is' : 'are'} ${quoteTexts(actual)}`;
  const message = `${expectedTexts} ${expected.length > 1 ? 'were' : 'was'} expected, and ${was}`;
  return [{ what, place, message, expected: joinLines(expected.map(expectedLine)), actual: joinLines(actual) }];
}

const quoteTexts = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text)).join(', ');

const joinLines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

/** Without folding. */
export const yamlText = (value: JsonValue | undefined): string =>
  value === undefined ? '' : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });

/** Fields in alphabetical order, so that only values differ. */
export const sortedYamlText = (value: JsonValue | undefined): string =>
  value === undefined ? '' : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, sortMapEntries: true });

/** Other annotations may be present; one expected as null must be absent. */
export function checkAuditAnnotations(expect: Expectation, { trace }: StepObservation): readonly Failure[] {
  if (trace === undefined) return [];
  const actual = trace.auditAnnotations;
  return Object.entries(expect.auditAnnotations).flatMap(([key, expected]) => {
    const found = Object.hasOwn(actual, key) ? actual[key] : undefined;
    const problem =
      found === undefined ? describeMissing(expected, key, Object.keys(actual)) : describeDifferent(expected, found);
    return problem === undefined ? [] : [{ what: `auditAnnotations[${key}]`, place: expect.place, message: problem }];
  });
}

type ExpectedAnnotation = Expectation['auditAnnotations'][string];

function describeMissing(expected: ExpectedAnnotation, key: string, keys: readonly string[]): string | undefined {
  if (expected === null) return undefined;
  const near = nearestName(key, keys);
  const existing = near ? `there is ${near}` : keys.length === 0 ? 'there are none' : `there is ${keys.join(', ')}`;
  return `${expectedText(expected)} was expected, and it is not there; ${existing}`;
}

function describeDifferent(expected: ExpectedAnnotation, found: string): string | undefined {
  if (expected === null) return `it was expected to be absent, and is ${JSON.stringify(found)}`;
  return textMatches(expected, found)
    ? undefined
    : `${expectedText(expected)} was expected, and it is ${JSON.stringify(found)}`;
}
