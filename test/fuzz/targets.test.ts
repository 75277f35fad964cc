import { expect, test } from 'vitest';
import { generateCase } from './generate-case.ts';
import { payloads } from './payloads.ts';
import { targets } from './targets.ts';

const ground = { webhook: { url: 'https://127.0.0.1:9', caBundle: 'AAAA' } };

const drawn = (seed: number, index: number): readonly string[] =>
  targets.map((target) => {
    const acts = generateCase(target, seed, index, ground);
    const bytes = payloads(acts).map((one) => Buffer.from(one).toString('base64').slice(0, 10_000));
    return JSON.stringify({ acts: acts.map((act) => ({ ...act, body: '', chunks: '', files: '' })), bytes });
  });

test('a seed and a number are a case', () => {
  const numbers = Array.from({ length: 5 }, (_none, index) => index);
  const first = numbers.map((number) => drawn(7, number));
  expect(numbers.map((number) => drawn(7, number))).toEqual(first);
  expect(new Set(first.flat()).size).toBeGreaterThan(0.9 * first.flat().length);
  expect(drawn(8, 0)).not.toEqual(first[0]);
}, 60_000);
