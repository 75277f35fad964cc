import { expect, test } from 'vitest';
import { invalidValue, required } from '../../../src/machinery/meta/field-error.ts';
import { invalid, notFound } from '../../../src/machinery/meta/status.ts';

const kind = { group: '', kind: 'Pod' };

test('the message for thousands of errors has the first thousand', () => {
  const errors = Array.from({ length: 3000 }, (_none, at) => required(`spec.containers[${at}].name`, ''));
  const { message, details } = invalid(kind, 'p', errors);
  expect(details?.causes).toHaveLength(1000);
  expect(message).toMatch(/spec\.containers\[999\]\.name: Required value, and 2000 more\]$/);
});

test('the errors of long values fill at most a mebibyte of text', () => {
  const long = 'x'.repeat(400_000);
  const errors = Array.from({ length: 5 }, (_none, at) => invalidValue(`data[${at}]`, long, 'too long'));
  const { message, details } = invalid(kind, 'p', errors);
  expect(details?.causes).toHaveLength(2);
  expect(message?.slice(-13)).toBe(', and 3 more]');
});

// Source: apimachinery pkg/api/errors/errors.go, which prints names with %q; go src/unicode IsPrint.
test.each([
  ['x"<>&', '"x\\"<>&"'],
  ['a\u200bb\u00a0', '"a\\u200bb\\u00a0"'],
  ['\u{10ffff}\u{1f600}', '"\\U0010ffff\u{1f600}"'],
  ['\u0000', '"\\x00"'],
])('the name %j is printed as %s', (name, printed) => {
  expect(invalid(kind, name, [invalidValue('metadata.name', name, 'wrong')]).message).toBe(
    `Pod ${printed} is invalid: metadata.name: Invalid value: ${printed}: wrong`,
  );
  expect(notFound({ group: 'apps', resource: 'deployments' }, name).message).toBe(
    `deployments.apps ${printed} not found`,
  );
});
