import { expect, test } from 'vitest';
import { awaitRevision, freshnessRefusal } from '../../../src/apiserver/request/stages/await-revision.ts';
import { createMemoryStore } from '../../../src/apiserver/storage/memory-store.ts';
import { createVirtualClock, epoch } from '../../harness/virtual-clock.ts';

/** A cluster at revision 1 and its clock; `write` takes it one further. */
function opened() {
  const [clock, cluster] = [createVirtualClock(), createMemoryStore()];
  let count = 0;
  const write = async (): Promise<void> => {
    const name = `o${(count += 1)}`;
    const key = { resource: { group: '', resource: 'configmaps' }, namespace: 'ns', name };
    await cluster.create(key, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, namespace: 'ns' } });
  };
  const controller = new AbortController();
  /** The answer, and when it came; undefined as long as there is none. */
  const asking = <Answer>(answering: Promise<Answer>) => {
    const state: { came?: readonly [answer: Answer, after: number] } = {};
    void answering.then((answer) => (state.came = [answer, clock.now() - epoch]));
    return () => state.came;
  };
  return { deps: { clock, cluster }, clock, write, controller, asking };
}

// Source: apiserver pkg/storage/cacher/watch_cache.go waitUntilFreshAndBlock
test.each([0, 1])('revision %i has come already', async (wanted) => {
  const { deps, clock, controller, asking } = opened();
  const came = asking(awaitRevision(deps, wanted, 0, controller.signal));
  await clock.advance(0);
  expect(came()).toEqual([true, 0]);
});

test.each<[patienceMs: number, looks: readonly number[], after: number]>([
  [0, [0], 0],
  [70, [69, 70], 70],
  [100, [99, 100], 100],
  [3000, [2999, 3000], 3000],
])('one that does not come is waited for %i ms', async (patienceMs, looks, after) => {
  const { deps, clock, controller, asking } = opened();
  const came = asking(awaitRevision(deps, 2, patienceMs, controller.signal));
  const seen: unknown[] = [];
  for (const [at, look] of looks.entries()) {
    await clock.advance(look - (looks[at - 1] ?? 0));
    seen.push(came());
  }
  expect(seen).toEqual([...looks.slice(1).map(() => undefined), [false, after]]);
});

test('one that comes is seen at the next look', async () => {
  const { deps, clock, write, controller, asking } = opened();
  const came = asking(awaitRevision(deps, 3, 3000, controller.signal));
  await clock.advance(40);
  await write();
  await clock.advance(40);
  expect(came()).toBeUndefined();
  await write();
  await clock.advance(19);
  expect(came()).toBeUndefined();
  await clock.advance(1);
  expect(came()).toEqual([true, 100]);
});

test('who has gone is not waited for', async () => {
  const { deps, clock, controller, asking } = opened();
  const came = asking(awaitRevision(deps, 2, 3000, controller.signal));
  await clock.advance(10);
  controller.abort();
  await clock.advance(0);
  expect(came()).toEqual([false, 10]);
});

const tooNew = (wanted: string): object => ({
  code: 504,
  reason: 'Timeout',
  message: `Timeout: Too large resource version: ${wanted}, current: 1`,
  details: { retryAfterSeconds: 1, causes: [{ reason: 'ResourceVersionTooLarge' }] },
});

// Source: apiserver pkg/storage/cacher/cacher.go Get, pkg/storage/errors.go NewTooLargeResourceVersionError
test.each<[query: string, after: number, status: object | undefined]>([
  ['', 0, undefined],
  ['resourceVersion=', 0, undefined],
  ['resourceVersion=0', 0, undefined],
  ['resourceVersion=1', 0, undefined],
  ['resourceVersion=2', 3000, tooNew('2')],
  ['resourceVersion=007', 3000, tooNew('7')],
  ['resourceVersion=18446744073709551615', 3000, tooNew('18446744073709551615')],
  [
    'resourceVersion=x',
    0,
    {
      code: 500,
      message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
    },
  ],
])('an object is asked for with %j', async (query, after, status) => {
  const { deps, clock, controller, asking } = opened();
  const came = asking(freshnessRefusal(deps, { query: new URLSearchParams(query), signal: () => controller.signal }));
  await clock.advance(3000);
  const [said, at] = came() ?? [];
  expect([said, at]).toMatchObject([status, after]);
});

test('one that comes meanwhile is not too new', async () => {
  const { deps, clock, write, controller, asking } = opened();
  const came = asking(
    freshnessRefusal(deps, { query: new URLSearchParams('resourceVersion=2'), signal: () => controller.signal }),
  );
  await clock.advance(10);
  await write();
  await clock.advance(40);
  expect(came()).toEqual([undefined, 50]);
});
