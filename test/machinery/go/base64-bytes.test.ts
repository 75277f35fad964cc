import { expect, test } from 'vitest';
import { base64Bytes, encodeBytes } from '../../../src/machinery/go/base64-bytes.ts';

test.each([0, 1, 2, 3, 8191, 8192, 8193, 20_000])('%d bytes, there and back', (length) => {
  const bytes = Uint8Array.from({ length }, (_none, at) => (at * 7) % 256);
  const text = encodeBytes(bytes);
  expect(text).toBe(Buffer.from(bytes).toString('base64'));
  expect(base64Bytes(text)).toEqual(bytes);
});

test('what is no base64', () => {
  expect(() => base64Bytes('a!')).toThrow('Invalid character');
});

// Source: WHATWG infra, forgiving-base64 decode: white space is skipped, other strangers and padding inside are refused.
test.each<readonly [what: string, text: string, length: number | undefined]>([
  ['a stranger in the second part', `${'A'.repeat(20_000)}!${'A'.repeat(19_999)}`, undefined],
  ['padding inside', `${'A'.repeat(16_380)}AA==${'A'.repeat(20_000)}`, undefined],
  ['padding at the end of the first part only', `${'A'.repeat(16_382)}==${'A'.repeat(16_384)}`, undefined],
  ['white space in fours', `${'A'.repeat(16_384)}    ${'A'.repeat(16_380)}`, (32_764 / 4) * 3],
  ['padding at the end', `${'A'.repeat(32_766)}==`, (32_764 / 4) * 3 + 1],
])('a long text, %s', (_what, text, length) => {
  const read = (): number | undefined => {
    try {
      return base64Bytes(text).length;
    } catch (error) {
      if (error instanceof DOMException) return undefined;
      throw error;
    }
  };
  expect(read()).toBe(length);
});
