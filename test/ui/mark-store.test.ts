import { expect, test } from 'vitest';
import type { FindingBadge } from '../../src/explain/findings/digest.ts';
import { createMarkStore } from '../../src/ui/mark-store.ts';
import { someSummary } from '../harness/some-summary.ts';

const rows = Array.from({ length: 450 }, (_, at) => ({ ...someSummary({ id: `id-${at}` }), sequence: at + 1 }));
const mark: FindingBadge = { severity: 'warning', rules: ['undone'] };

/** Asks that are answered by hand. */
function asks() {
  const asked: (readonly string[])[] = [];
  const answers: ((marks: ReadonlyMap<string, FindingBadge>) => void)[] = [];
  const refusals: ((error: Error) => void)[] = [];
  const ask = (ids: readonly string[]) => {
    asked.push(ids);
    return new Promise<ReadonlyMap<string, FindingBadge>>((resolve, reject) => {
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
  const store = createMarkStore(ask);
  store.want(rows);
  expect(asked.map((ids) => ids.length)).toEqual([200]);
  expect(store.awaited()).toBe(250);
  store.want(rows.slice(-3));
  answers[0]?.(new Map([['id-1', mark]]));
  await settled();
  expect(asked[1]?.slice(0, 3)).toEqual(['id-447', 'id-448', 'id-449']);
  expect(store.markOf(second)).toEqual(mark);
  expect(store.markOf(first)).toBeUndefined();
});

test('known rows are not fetched again, also after a refusal', async () => {
  const { ask, asked, answers, refusals } = asks();
  const store = createMarkStore(ask);
  let changes = 0;
  store.onChanged(() => (changes += 1));
  store.want([first]);
  refusals[0]?.(new Error('the server is gone'));
  await settled();
  store.want([first]);
  expect(asked).toEqual([['id-0']]);
  store.want([first, second]);
  answers[1]?.(new Map([['id-1', mark]]));
  await settled();
  expect(asked).toEqual([['id-0'], ['id-1']]);
  expect([changes, store.awaited(), store.markOf(second)]).toEqual([2, 0, mark]);
});
