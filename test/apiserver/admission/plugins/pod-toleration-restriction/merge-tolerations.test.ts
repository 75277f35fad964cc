import { expect, test } from 'vitest';
import { mergeTolerations } from '../../../../../src/apiserver/admission/plugins/pod-toleration-restriction/merge-tolerations.ts';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';

const all = { operator: 'Exists' };
const key = { key: 'k', operator: 'Exists' };
const value = { key: 'k', operator: 'Equal', value: 'v' };
const noExecute = (tolerationSeconds: number): JsonObject => ({
  key: 'k',
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds,
});

// Source: kubernetes pkg/util/tolerations/tolerations_test.go
const facts: readonly [fact: string, first: readonly JsonObject[], second: readonly JsonObject[], merged: unknown][] = [
  [
    'different ones are all kept',
    [value],
    [{ key: 'z', operator: 'Exists' }],
    [value, { key: 'z', operator: 'Exists' }],
  ],
  ['the same one stands once', [key], [key], [key]],
  ['a key covers its values', [value], [key], [key]],
  ['a toleration of everything covers all', [key, value], [all], [all]],
  ['a longer stay covers a shorter one', [noExecute(10)], [noExecute(20)], [noExecute(20)]],
  ['a shorter one does not cover a longer one', [noExecute(20)], [noExecute(10)], [noExecute(20)]],
];
test.each(facts)('%s', (_fact, first, second, merged) => {
  expect(mergeTolerations(first, second)).toEqual(merged);
});
