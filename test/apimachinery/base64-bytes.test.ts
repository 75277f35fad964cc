import { expect, test } from 'vitest';
import { inTurns } from '../../src/apimachinery/in-turns.ts';
import { base64Bytes, encodeBytes } from '../../src/apimachinery/base64-bytes.ts';

test.each([0, 1, 2, 3, 8191, 8192, 8193, 20_000])('%d bytes, there and back', (length) => {
  const bytes = Uint8Array.from({ length }, (_none, at) => (at * 7) % 256);
  const text = encodeBytes(bytes);
  expect(text).toBe(Buffer.from(bytes).toString('base64'));
  expect(base64Bytes(text)).toEqual(bytes);
});

test('what is no base64', () => {
  expect(() => base64Bytes('a!')).toThrow('Invalid character');
});

test.each([99_998, 99_999, 100_000])('others are let in while %i bytes are read', async (length) => {
  const bytes = Uint8Array.from({ length }, (_none, at) => (at * 7) % 256);
  let [time, pauses] = [0, 0];
  const pause = Object.assign((): undefined => void (pauses += 1), { now: () => (time += 50) });
  expect(await inTurns(() => base64Bytes(encodeBytes(bytes)), pause)).toEqual(bytes);
  expect(pauses).toBeGreaterThan(7);
});
