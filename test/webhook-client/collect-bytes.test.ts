import { expect, test } from 'vitest';
import { collectBytes } from '../../src/webhook-client/collect-bytes.ts';

const numbered = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, at) => at % 251));

test.each([1, 7, 1_000, 16_384, 300_000, 700_000])('chunks of %d bytes are put together', (size) => {
  const sent = numbered(700_000);
  const collected = collectBytes(sent.length);
  let taken = 0;
  for (let at = 0; at < sent.length; at += size) taken += Number(collected.add(sent.subarray(at, at + size)));
  expect(taken).toBe(Math.ceil(sent.length / size));
  expect(sent.equals(collected.bytes())).toBe(true);
  expect(collected.add(Buffer.alloc(1))).toBe(false);
  expect(sent.equals(collected.bytes())).toBe(true);
});

test('they may be looked at while they come', () => {
  const sent = numbered(5_000);
  const collected = collectBytes(10_000);
  for (let at = 0; at < sent.length; at += 3) {
    collected.add(sent.subarray(at, at + 3));
    expect(sent.subarray(0, at + 3).equals(collected.bytes())).toBe(true);
  }
});

test('without chunks there are none', () => {
  expect(collectBytes(5).bytes()).toHaveLength(0);
});
