import { expect, test } from 'vitest';
import { estimateMemoryBytes } from '../../src/machinery/memory-estimate.ts';

const mib = 1024 * 1024;

test.each([
  ['a text', 'x'.repeat(mib), mib, mib + 100],
  ['a small object', { metadata: { name: 'a' } }, 64, 512],
  ['a list of a thousand numbers', Array.from({ length: 1000 }, () => 1), 8000, 9000],
  ['a long list: no more is looked at', Array.from({ length: 100_000 }, () => 1), 4 * mib, 5 * mib],
  ['a long object', Object.fromEntries(Array.from({ length: 5000 }, (_none, at) => [at, ''])), 4 * mib, 5 * mib],
  ['nothing', undefined, 8, 8],
])('%s', (_what, value, least, most) => {
  expect(estimateMemoryBytes(value)).toBeGreaterThanOrEqual(least);
  expect(estimateMemoryBytes(value)).toBeLessThanOrEqual(most);
});
