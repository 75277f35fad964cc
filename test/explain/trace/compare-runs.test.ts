import { expect, test } from 'vitest';
import { compareRuns } from '../../../src/explain/trace/compare-runs.ts';
import { someTrace, someWebhook } from '../../ui/some-trace.ts';

const label = (value: string) => ({
  objectAfter: {
    metadata: { name: 'web', uid: value, resourceVersion: '1', labels: { tier: value } },
    spec: { volumes: [{ name: `kube-api-access-${value.padEnd(5, 'x')}` }] },
  },
});

test('calls in the order of the first run; those of the second run alone after their predecessor', () => {
  const { callees } = compareRuns(
    someTrace({
      admission: [
        someWebhook({ name: 'a' }),
        someWebhook({ name: 'b' }),
        someWebhook({ name: 'z', outcome: 'skipped' }),
      ],
    }),
    someTrace({
      admission: [
        someWebhook({ name: 'first' }),
        someWebhook({ name: 'a', patch: [{ op: 'add', path: '/a', value: 1 }] }),
        someWebhook({ name: 'new', phase: 'mutating' }),
        someWebhook({ name: 'a', round: 1 }),
      ],
    }),
  );
  expect(callees).toEqual([
    { phase: 'mutating', type: 'webhook', name: 'checks/first', differs: true, sides: [undefined, turn({})] },
    {
      phase: 'mutating',
      type: 'webhook',
      name: 'checks/a',
      differs: true,
      sides: [turn({}), turn({ times: 2, milliseconds: 10, changed: true })],
    },
    { phase: 'mutating', type: 'webhook', name: 'checks/new', differs: true, sides: [undefined, turn({})] },
    { phase: 'mutating', type: 'webhook', name: 'checks/b', differs: true, sides: [turn({}), undefined] },
  ]);
});

const turn = (over: object) => ({ outcome: 'called', times: 1, milliseconds: 5, changed: false, ...over });

test('a patch without effect changed nothing', () => {
  const object = { metadata: { labels: { tier: 'front' } } };
  const patch = [{ op: 'add', path: '/metadata/labels/tier', value: 'front' }];
  const again = someWebhook({ patch, changed: true, hasEffect: false, review: { request: { object } } });
  const same = someWebhook({ patch, review: { request: { object } } });
  for (const webhook of [again, same]) {
    const { callees } = compareRuns(someTrace(), someTrace({ admission: [webhook] }));
    expect(callees.map(({ sides }) => sides[1]?.changed)).toEqual([false]);
  }
});

test('only time differs: nothing does', () => {
  const { callees, changes } = compareRuns(
    someTrace({ admission: [someWebhook({ milliseconds: 1 })] }),
    someTrace({ admission: [someWebhook({ milliseconds: 900 })] }),
  );
  expect(callees.map(({ differs }) => differs)).toEqual([false]);
  expect(changes).toEqual([]);
});

test('uids, versions and names drawn by chance are no difference, fields are', () => {
  const { changes } = compareRuns(someTrace(label('front')), someTrace(label('back')));
  expect(changes).toEqual([{ path: ['metadata', 'labels', 'tier'], before: 'front', after: 'back' }]);
});

test('warnings have their run', () => {
  const said = (warnings: readonly string[]) => someTrace({ response: { code: 201, status: null, warnings } });
  expect(compareRuns(said(['a', 'b']), said(['b', 'c'])).warnings).toEqual([
    { text: 'a', in: [true, false] },
    { text: 'b', in: [true, true] },
    { text: 'c', in: [false, true] },
  ]);
});
