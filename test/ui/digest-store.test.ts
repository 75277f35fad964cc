import { expect, test } from 'vitest';
import type { Digest } from '../../src/explain/render/digest.ts';
import { createDigestStore } from '../../src/ui/digest-store.ts';
import { someSummary } from '../harness/trace-summary.ts';

const rows = Array.from({ length: 450 }, (_, at) => ({ ...someSummary({ id: `id-${at}` }), sequence: at + 1 }));
const digest: Digest = {
  id: 'id-1',
  refusedBy: '',
  headline: { tone: 'good', text: 'fine' },
  findings: [],
  marks: ['second round'],
};

/** Asks that are answered by hand. */
function asks() {
  const asked: (readonly string[])[] = [];
  const answers: ((digests: ReadonlyMap<string, Digest>) => void)[] = [];
  const refusals: ((error: Error) => void)[] = [];
  const ask = (ids: readonly string[]) => {
    asked.push(ids);
    return new Promise<ReadonlyMap<string, Digest>>((resolve, reject) => {
      answers.push(resolve);
      refusals.push(reject);
    });
  };
  return { ask, asked, answers, refusals };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const [first, second] = rows;
if (!first || !second) throw new Error('there are rows');

test('fetches in batches, the last requested rows first', async () => {
  const { ask, asked, answers } = asks();
  const store = createDigestStore(ask);
  store.want(rows);
  expect(asked.map((ids) => ids.length)).toEqual([200]);
  expect(store.awaited()).toBe(250);
  store.want(rows.slice(-3));
  answers[0]?.(new Map([['id-1', digest]]));
  await settled();
  expect(asked[1]?.slice(0, 3)).toEqual(['id-447', 'id-448', 'id-449']);
  expect(store.get(second)).toEqual(digest);
  expect(store.get(first)).toBeUndefined();
});

test('known rows are not fetched again, also after a refusal', async () => {
  const { ask, asked, answers, refusals } = asks();
  const store = createDigestStore(ask);
  let changes = 0;
  store.onChanged(() => (changes += 1));
  store.want([first]);
  refusals[0]?.(new Error('the server is gone'));
  await settled();
  store.want([first]);
  expect(asked).toEqual([['id-0']]);
  store.want([first, second]);
  answers[1]?.(new Map([['id-1', digest]]));
  await settled();
  expect(asked).toEqual([['id-0'], ['id-1']]);
  expect([changes, store.awaited(), store.get(second)]).toEqual([2, 0, digest]);
});
