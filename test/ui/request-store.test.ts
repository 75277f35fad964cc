import { expect, test } from 'vitest';
import { type NumberedSummary, summaryOf } from '../../src/explain/trace/trace-summary.ts';
import { createRequestStore } from '../../src/ui/request-store.ts';
import { someTrace } from './some-trace.ts';

const numbered = (sequence: number, id = `r${sequence}`): NumberedSummary => ({
  ...summaryOf(someTrace({ id })),
  sequence,
});

const idsOf = (summaries: readonly NumberedSummary[]): readonly string[] => summaries.map(({ id }) => id);

test('newest first, up to the limit', () => {
  const store = createRequestStore(3);
  store.add([numbered(1), numbered(2)]);
  store.add([numbered(3), numbered(4)]);
  expect(idsOf(store.shown())).toEqual(['r4', 'r3', 'r2']);
});

test('a paused list does not change; continuing adds all new requests', () => {
  const store = createRequestStore();
  store.add([numbered(1)]);
  store.setPaused(true);
  store.add([numbered(2), numbered(3)]);
  store.add([numbered(4)]);
  expect([idsOf(store.shown()), store.waiting()]).toEqual([['r1'], 3]);
  store.setPaused(false);
  expect([idsOf(store.shown()), store.waiting()]).toEqual([['r4', 'r3', 'r2', 'r1'], 0]);
});

test('a repeated id replaces its earlier request', () => {
  const store = createRequestStore();
  store.add([numbered(1, 'a'), numbered(2, 'b')]);
  store.add([numbered(3, 'a')]);
  expect(store.shown().map(({ id, sequence }) => [id, sequence])).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
});

test('earlier requests are appended, each once', () => {
  const store = createRequestStore(5);
  store.add([numbered(8), numbered(9)]);
  store.addOlder([numbered(8), numbered(7), numbered(6)]);
  store.addOlder([numbered(5), numbered(4)]);
  expect(idsOf(store.shown())).toEqual(['r9', 'r8', 'r7', 'r6', 'r5']);
});

test('listeners hear of changes until they stop', () => {
  const store = createRequestStore();
  let heard = 0;
  const stop = store.onChanged(() => {
    heard += 1;
  });
  store.add([numbered(1)]);
  store.add([]);
  stop();
  store.add([numbered(2)]);
  expect(heard).toBe(1);
});
