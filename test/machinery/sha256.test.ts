import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/machinery/sha256.ts';

// 55, 56 and 64 bytes: with and without room for the length in the last block.
test.each([0, 1, 55, 56, 63, 64, 200])('the SHA-256 of %d bytes is that of Node', (length) => {
  const bytes = Uint8Array.from({ length }, (_none, at) => at);
  const hex = sha256(bytes).map((word) => (word >>> 0).toString(16).padStart(8, '0'));
  expect(hex.join('')).toBe(createHash('sha256').update(bytes).digest('hex'));
});
