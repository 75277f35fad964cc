import { expect, test } from 'vitest';
import { createSeededRandom, createSeededUids } from '../../../src/testing/stubs/seeded-random.ts';

const draw = (seed: number, count: number): readonly number[] => {
  const random = createSeededRandom(seed);
  return Array.from({ length: count }, () => random());
};

test('the same seed draws the same numbers, another seed others', () => {
  expect(draw(7, 5)).toEqual(draw(7, 5));
  expect(draw(7, 5)).not.toEqual(draw(8, 5));
});

test('numbers lie from 0 to below 1 and are spread evenly', () => {
  const numbers = draw(1, 10_000);
  expect(numbers.every((one) => one >= 0 && one < 1)).toBe(true);
  const tenths = Array.from(
    { length: 10 },
    (_, tenth) => numbers.filter((one) => Math.floor(one * 10) === tenth).length,
  );
  expect(Math.min(...tenths)).toBeGreaterThan(900);
});

test('uids are UUIDs version 4, each another', () => {
  const newUid = createSeededUids(createSeededRandom(3));
  const uids = Array.from({ length: 1000 }, newUid);
  expect(new Set(uids).size).toBe(1000);
  expect(
    uids.filter((uid) => !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uid)),
  ).toEqual([]);
});
