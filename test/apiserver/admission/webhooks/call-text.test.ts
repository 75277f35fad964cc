import { expect, test } from 'vitest';
import { timeoutQuery } from '../../../../src/apiserver/admission/webhooks/call.ts';

// Source: client-go rest/request.go URL, which prints by Go's time.Duration.String: seconds alone below a minute, both from there on.
test.each([
  [-5, '0s'],
  [0, '0s'],
  [1, '1s'],
  [1_000, '1s'],
  [1_001, '2s'],
  [30_000, '30s'],
  [59_000, '59s'],
  [59_001, '1m0s'],
  [60_000, '1m0s'],
  [61_000, '1m1s'],
  [120_000, '2m0s'],
])('%d ms are asked for as %s', (milliseconds, text) => {
  expect(timeoutQuery(milliseconds)).toBe(`?timeout=${text}`);
});
