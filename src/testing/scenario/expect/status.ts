import { asString } from '../../../machinery/json/json.ts';
import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { refusalText } from './outcome.ts';
import { isRefused, type StepObservation } from './step-observation.ts';
import { expectedLine, expectedText, textMatches } from './text.ts';

export const checkStatus = (expect: Expectation, shown: StepObservation): readonly Failure[] => [
  ...checkCode(expect, shown),
  ...checkReason(expect, shown),
  ...checkMessage(expect, shown),
];

function checkCode({ code, place }: Expectation, { answer }: StepObservation): readonly Failure[] {
  if (code === undefined || code === answer.code) return [];
  const was = isRefused(answer) ? refusalText(answer) : String(answer.code);
  return [{ what: 'code', place, message: `${code} was expected, and the answer was ${was}` }];
}

function checkReason({ reason, place }: Expectation, { answer }: StepObservation): readonly Failure[] {
  const actual = asString(answer.body['reason']);
  if (reason === undefined || reason === actual) return [];
  const was = actual === '' ? 'the Status has none' : `it is ${actual}`;
  return [{ what: 'reason', place, message: `${reason} was expected, and ${was}` }];
}

function checkMessage({ message, place }: Expectation, { answer }: StepObservation): readonly Failure[] {
  const actual = asString(answer.body['message']);
  if (message === undefined || textMatches(message, actual)) return [];
  return [
    {
      what: 'message',
      place,
      message: `${expectedText(message)} was expected, and it is ${JSON.stringify(actual)}`,
      expected: expectedLine(message),
      actual,
    },
  ];
}
