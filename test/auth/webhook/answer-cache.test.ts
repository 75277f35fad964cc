import { expect, test } from 'vitest';
import { createAnswerCache } from '../../../src/auth/webhook/answer-cache.ts';

/** A cache of two answers, and its clock. */
function ofTwo() {
  const time = { now: 0 };
  const cache = createAnswerCache<string>(2, () => time.now);
  const kept = (): string => ['a', 'b', 'c'].filter((key) => cache.get(key) !== undefined).join(' ');
  return { time, cache, kept };
}

// Source: apimachinery pkg/util/cache/lruexpirecache_test.go.
test('of too many the one that was used longest ago goes', () => {
  const { cache, kept } = ofTwo();
  cache.add('a', '1', 10);
  cache.add('b', '2', 10);
  expect(cache.get('a')).toBe('1');
  cache.add('c', '3', 10);
  expect(kept()).toBe('a c');
});

test('what is added again counts as used, and has the new answer', () => {
  const { cache, kept } = ofTwo();
  cache.add('a', '1', 10);
  cache.add('b', '2', 10);
  cache.add('a', '3', 10);
  cache.add('c', '4', 10);
  expect(kept()).toBe('a c');
  expect(cache.get('a')).toBe('3');
});

test('an answer is kept for its time and not longer; one without time is not kept', () => {
  const { time, cache, kept } = ofTwo();
  cache.add('a', '1', 10);
  cache.add('b', '2', 0);
  expect(kept()).toBe('a');
  time.now = 9;
  expect(kept()).toBe('a');
  time.now = 10;
  expect(kept()).toBe('');
});
