import { expect, test } from 'vitest';
import { badgeOf, digestOf } from '../../../src/explain/findings/digest.ts';
import { someTrace, someWebhook } from '../../ui/some-trace.ts';

const failedOpen = someWebhook({ outcome: 'failed-open' });
const assumed = someWebhook({ outcome: 'failed-open', assumed: 'ignore' });

test.each([
  ['what failed open is a warning', [failedOpen], { severity: 'warning', rules: ['unchecked'] }],
  ['notes are no reason to look', [assumed], undefined],
  ['nothing happened', [], undefined],
])('%s', (_fact, admission, mark) => {
  expect(badgeOf(digestOf(someTrace({ admission })))).toEqual(mark);
});

test('a trace that cannot be read has no mark', () => {
  const broken = JSON.parse('{"admission":null}');
  expect(badgeOf(digestOf(broken))).toBeUndefined();
});
