import { expect, test } from 'vitest';
import {
  createAnnotationValues,
  failureAnnotations,
} from '../../../../src/apiserver/admission/policies/apply-actions.ts';

const failed = { policy: 'p', binding: 'b', expressionIndex: 0, validationActions: ['Audit'] };

/** Go's encoding/json escapes these in texts; what else stands outside ASCII is printed as it is. */
test.each([
  ['a<b', String.raw`a\u003cb`],
  ['a>b', String.raw`a\u003eb`],
  ['a&b', String.raw`a\u0026b`],
  ['a\u2028b\u2029c', String.raw`a\u2028b\u2029c`],
  ['ä"', String.raw`ä\"`],
])('a failure that says %j is written as %s', (message, text) => {
  expect(failureAnnotations([{ message, ...failed }], 36)).toEqual([
    {
      key: 'validation.policy.admission.k8s.io/validation_failure',
      value: `[{"message":"${text}","policy":"p","binding":"b","expressionIndex":0,"validationActions":["Audit"]}]`,
      level: 'Metadata',
    },
  ]);
});

// Source: apiserver v1.36.2 and v1.37.2 pkg/admission/plugin/policy/validating/dispatcher.go (#140001).
test.each([
  [36, 3, 1],
  [37, 3, 3],
  [37, 51, 50],
  [37, 0, 0],
])('under 1.%i, of %i failures %i are written', (minor, count, written) => {
  const failures = Array.from({ length: count }, (_none, index) => ({ message: `m${index}`, ...failed }));
  const [annotation] = failureAnnotations(failures, minor);
  const messages = failures.slice(0, written).map(({ message }) => message);
  const list: readonly { readonly message: string }[] = JSON.parse(annotation?.value ?? '[]');
  expect(list.map(({ message }) => message)).toEqual(messages);
});

/** Follows apiserver pkg/admission/plugin/policy/validating/dispatcher.go auditAnnotationCollector: 10 KiB. */
test('values are said once each, in their order, and cut where they are too long', () => {
  const values = createAnnotationValues('p');
  for (const value of ['b', 'a', 'b']) values.add('k', value);
  values.add('long', 'x'.repeat(10 * 1024));
  values.add('longer', `${'x'.repeat(10 * 1024)}y`);
  expect(values.published().map(({ key, value }) => [key, value.length > 10 ? value.length : value])).toEqual([
    ['p/k', 'b, a'],
    ['p/long', 10 * 1024],
    ['p/longer', 10 * 1024],
  ]);
});
