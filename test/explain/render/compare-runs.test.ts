import { expect, test } from 'vitest';
import { compareRuns } from '../../../src/explain/render/compare-runs.ts';
import { modelOf } from '../../../src/explain/render/model.ts';
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
        someWebhook({ name: 'a.x' }),
        someWebhook({ name: 'b.x' }),
        someWebhook({ name: 'z.x', outcome: 'skipped' }),
      ],
    }),
    someTrace({
      admission: [
        someWebhook({ name: 'first.x' }),
        someWebhook({ name: 'a.x', patch: [{ op: 'add', path: '/a', value: 1 }] }),
        someWebhook({ name: 'new.x', phase: 'mutating' }),
        someWebhook({ name: 'a.x', round: 1 }),
      ],
    }),
  );
  expect(callees.map(describeCallee)).toEqual([
    'first.x (checks): – | called, changed nothing *',
    'a.x (checks): called, changed nothing | called 2x, sent a patch of 1 *',
    'new.x (checks): – | called, changed nothing *',
    'b.x (checks): called, changed nothing | – *',
  ]);
});

const describeCallee = ({ name, sides, differs }: ReturnType<typeof compareRuns>['callees'][number]): string =>
  `${name}: ${sides.map((row) => (row ? `${row.result}, ${row.changed}` : '–')).join(' | ')}${differs ? ' *' : ''}`;

test('each cell is the row of the explanation', () => {
  const object = { metadata: { labels: { tier: 'front' } } };
  const patch = [{ op: 'add', path: '/metadata/labels/tier', value: 'front' }];
  const again = someWebhook({ patch, changed: true, hasEffect: false, review: { request: { object } } });
  const same = someWebhook({ patch, review: { request: { object } } });
  for (const webhook of [again, same]) {
    const trace = someTrace({ admission: [webhook] });
    expect(compareRuns(someTrace(), trace).callees.map(({ sides }) => sides[1])).toEqual(modelOf(trace).table);
    expect(modelOf(trace).table.map(({ changed }) => changed)).toEqual(['changed nothing']);
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
