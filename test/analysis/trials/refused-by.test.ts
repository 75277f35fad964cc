import { expect, test } from 'vitest';
import { denierTitle } from '../../../src/analysis/trials/compare-sets.ts';
import { someTrace, someWebhook } from '../../ui/some-trace.ts';

const refused = { verdict: 'refused', response: { code: 403, status: { message: 'denied' }, warnings: [] } } as const;

test('of two refusals, the one whose message the client received', () => {
  const admission = ['no', 'denied'].map((message) =>
    someWebhook({ name: `${message}.example.com`, outcome: 'denied', status: { message } }),
  );
  expect(denierTitle({ trace: someTrace({ ...refused, admission }) })).toBe('webhook denied.example.com');
});

test('of none of the chain, and without a trace, the API server', () => {
  expect(denierTitle({ trace: someTrace(refused) })).toBe('the API server');
  expect(denierTitle({ trace: undefined })).toBe('the API server');
});
