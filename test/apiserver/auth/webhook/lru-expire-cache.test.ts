import { expect, test } from 'vitest';
import { createLruExpireCache } from '../../../../src/apiserver/auth/webhook/lru-expire-cache.ts';

/** A cache of two answers, and its clock. */
function ofTwo() {
  const time = { now: 0 };
  const cache = createLruExpireCache<string>(2, () => time.now);
  const kept = (): string => ['a', 'b', 'c'].filter((key) => cache.get(key) !== undefined).join(' ');
  return { time, cache, kept };
}

// Source: apimachinery pkg/util/cache/lruexpirecache_test.go.
test('of too many the one that was used longest ago goes', () => {
  const { cache, kept } = ofTwo();
  cache.add('a', { value: '1', bytes: 1 }, 10);
  cache.add('b', { value: '2', bytes: 1 }, 10);
  expect(cache.get('a')).toBe('1');
  cache.add('c', { value: '3', bytes: 1 }, 10);
  expect(kept()).toBe('a c');
});

test('what is added again counts as used, and has the new answer', () => {
  const { cache, kept } = ofTwo();
  cache.add('a', { value: '1', bytes: 1 }, 10);
  cache.add('b', { value: '2', bytes: 1 }, 10);
  cache.add('a', { value: '3', bytes: 1 }, 10);
  cache.add('c', { value: '4', bytes: 1 }, 10);
  expect(kept()).toBe('a c');
  expect(cache.get('a')).toBe('3');
});

test('an answer is kept for its time and not longer; one without time is not kept', () => {
  const { time, cache, kept } = ofTwo();
  cache.add('a', { value: '1', bytes: 1 }, 10);
  cache.add('b', { value: '2', bytes: 1 }, 0);
  expect(kept()).toBe('a');
  time.now = 9;
  expect(kept()).toBe('a');
  time.now = 10;
  expect(kept()).toBe('');
});

// Ours: who sends a token, and who answers, may choose how long it is.
test('answers of many bytes are not kept, and of others as many as there is room for', () => {
  const cache = createLruExpireCache<string>(1_000, () => 0);
  cache.add('long', { value: 'a', bytes: 300_000 }, 10);
  expect(cache.get('long')).toBeUndefined();
  const names = Array.from({ length: 200 }, (_, at) => `${at}`);
  for (const name of names) cache.add(name, { value: 'a', bytes: 250_000 }, 10);
  const kept = names.filter((name) => cache.get(name) !== undefined);
  expect(kept).toEqual(names.slice(-134));
  cache.add('199', { value: 'b', bytes: 1 }, 10);
  cache.add('new', { value: 'c', bytes: 200_000 }, 10);
  expect(cache.get(kept[0] ?? '')).toBe('a');
});

test('the cache holds at most 32 MiB, also after many misses', () => {
  const cache = createLruExpireCache<string>(1_000, () => 0);
  for (let at = 0; at < 500; at += 1) cache.get(`none ${at}`);
  const names = Array.from({ length: 128 }, (_, at) => String(at).padStart(4, '0'));
  for (const name of names) cache.add(name, { value: 'a', bytes: 256 * 1024 - name.length }, 10);
  expect(names.filter((name) => cache.get(name) === undefined)).toEqual([]);
  cache.add('x', { value: 'b', bytes: 0 }, 10);
  expect(names.filter((name) => cache.get(name) === undefined)).toEqual(['0000']);
});

test('an answer without time makes no room, nor does it end what is kept; a millisecond is time', () => {
  const { cache, kept } = ofTwo();
  cache.add('a', { value: '1', bytes: 1 }, 1);
  cache.add('b', { value: '2', bytes: 1 }, 10);
  cache.add('c', { value: '3', bytes: 1 }, 0);
  cache.add('a', { value: '4', bytes: 1 }, 0);
  expect([kept(), cache.get('a')]).toEqual(['a b', '1']);
});

test('256 KiB of one are kept, with its question', () => {
  const cache = createLruExpireCache<string>(2, () => 0);
  for (const [key, bytes] of [
    ['a', 256 * 1024 - 1],
    ['b', 256 * 1024],
  ] as const)
    cache.add(key, { value: '1', bytes }, 1);
  expect([cache.get('a'), cache.get('b')]).toEqual(['1', undefined]);
});
