import type { Expectation } from '../format.ts';
import { nearestName } from '../../../machinery/nearest-name.ts';
import type { Failure } from '../outcome.ts';
import type { StepObservation } from './step-observation.ts';
import { expectedText, textMatches } from './text.ts';

/** Other annotations may be present; one expected as null must be absent. */
export function checkAuditAnnotations(expect: Expectation, { trace }: StepObservation): readonly Failure[] {
  if (trace === undefined) return [];
  const actual = trace.auditAnnotations;
  return Object.entries(expect.auditAnnotations).flatMap(([key, expected]) => {
    const found = Object.hasOwn(actual, key) ? actual[key] : undefined;
    const problem = found === undefined ? missing(expected, key, Object.keys(actual)) : different(expected, found);
    return problem === undefined ? [] : [{ what: `auditAnnotations[${key}]`, place: expect.place, message: problem }];
  });
}

type Expected = Expectation['auditAnnotations'][string];

function missing(expected: Expected, key: string, keys: readonly string[]): string | undefined {
  if (expected === null) return undefined;
  const near = nearestName(key, keys);
  const there = near ? `there is ${near}` : keys.length === 0 ? 'there are none' : `there is ${keys.join(', ')}`;
  return `${expectedText(expected)} was expected, and it is not there; ${there}`;
}

function different(expected: Expected, found: string): string | undefined {
  if (expected === null) return `it was expected to be absent, and is ${JSON.stringify(found)}`;
  return textMatches(expected, found)
    ? undefined
    : `${expectedText(expected)} was expected, and it is ${JSON.stringify(found)}`;
}
