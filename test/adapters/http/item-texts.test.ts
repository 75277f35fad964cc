import { expect, test } from 'vitest';
import { encodeItem } from '../../../src/adapters/http/write-long-list.ts';

const long = (name: string) => ({ metadata: { name }, data: { text: `<${'x'.repeat(2000)}ü` } });

test('the text of an item is kept when it is written a second time', () => {
  const item = long('a');
  const first = encodeItem(item);
  const second = encodeItem(item);
  expect(first).toBe(`,${JSON.stringify(item).replace('<', String.raw`\u003c`)}`);
  expect(Buffer.from(second).toString()).toBe(first);
  expect(encodeItem(item)).toBe(second);
});

test('another object with the same text is written for itself', () => {
  const [one, other] = [long('a'), long('a')];
  encodeItem(one);
  const kept = encodeItem(one);
  encodeItem(other);
  expect(encodeItem(other)).not.toBe(kept);
  expect(encodeItem(other)).toEqual(kept);
});

test('what is short is written each time', () => {
  const item = { metadata: { name: 'a' } };
  for (let turn = 0; turn < 3; turn += 1) expect(encodeItem(item)).toBe(',{"metadata":{"name":"a"}}');
});
