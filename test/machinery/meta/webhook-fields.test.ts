import { expect, test } from 'vitest';
import {
  failurePolicyOf,
  matchPolicyOf,
  reinvocationPolicyOf,
  timeoutSecondsOf,
  type WebhookEntry,
} from '../../../src/machinery/meta/webhook-fields.ts';

const read = (entry: WebhookEntry) => [
  failurePolicyOf(entry),
  matchPolicyOf(entry),
  reinvocationPolicyOf(entry),
  timeoutSecondsOf(entry),
];

// kubernetes pkg/apis/admissionregistration/v1/defaults.go
test.each<readonly [WebhookEntry, readonly unknown[]]>([
  [{}, ['Fail', 'Equivalent', 'Never', 10]],
  [
    { failurePolicy: null, matchPolicy: null, reinvocationPolicy: null, timeoutSeconds: null },
    ['Fail', 'Equivalent', 'Never', 10],
  ],
  [
    { failurePolicy: 'Ignore', matchPolicy: 'Exact', reinvocationPolicy: 'IfNeeded', timeoutSeconds: 1 },
    ['Ignore', 'Exact', 'IfNeeded', 1],
  ],
])('%j is read with its defaults', (entry, values) => {
  expect(read(entry)).toEqual(values);
});

test('a misspelt field of a webhook does not compile', () => {
  const entry: WebhookEntry = { failurePolicy: 'Ignore' };
  // @ts-expect-error: no row of webhookFields has this name.
  expect(entry.failurePolice).toBeUndefined();
});
