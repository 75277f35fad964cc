import { expect, test } from 'vitest';
import { type HistoryFinding, historyFindings } from '../../../src/explain/findings/history.ts';
import type { Trace } from '../../../src/explain/trace/trace.ts';
import { traceOf } from '../../harness/trace-requests.ts';

const first = await traceOf({
  sent: [['POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'm' }, data: { k: '0' } }]],
});

type Write = readonly [by: string, from: string, to: string, more?: Partial<Trace>];

const withData = (value: string) => ({ ...first.objectAfter, data: { k: value } });

/** A write that finds one value and leaves another. */
const write = ([username, from, to, more]: Write): Trace => ({
  ...first,
  request: { ...first.request, user: { username } },
  objectBefore: withData(from),
  objectAfter: withData(to),
  ...more,
});

const refusedFor = (message: string, code = 403): Partial<Trace> => ({
  verdict: 'refused',
  response: { code, status: { message }, warnings: [] },
});
const no = refusedFor('no');
const dry: Partial<Trace> = { request: { ...first.request, dryRun: true } };

const rows: readonly [fact: string, writes: readonly Write[], rules: readonly HistoryFinding['rule'][]][] = [
  [
    'two set a field back and forth',
    [
      ['a', '0', '1'],
      ['b', '1', '2'],
      ['a', '2', '1'],
      ['b', '1', '2'],
    ],
    ['fought-over'],
  ],
  [
    'once back is no fight yet',
    [
      ['a', '0', '1'],
      ['b', '1', '2'],
      ['a', '2', '1'],
    ],
    [],
  ],
  [
    'one alone changes its mind',
    [
      ['a', '0', '1'],
      ['a', '1', '2'],
      ['a', '2', '1'],
      ['a', '1', '2'],
    ],
    [],
  ],
  [
    'two count up together',
    [
      ['a', '0', '1'],
      ['b', '1', '2'],
      ['a', '2', '3'],
      ['b', '3', '4'],
    ],
    [],
  ],
  [
    'a dry run contests no field',
    [
      ['a', '0', '1'],
      ['b', '1', '2'],
      ['a', '2', '1'],
      ['b', '1', '2', dry],
    ],
    [],
  ],
  [
    'refused three times',
    [
      ['a', '0', '0', no],
      ['a', '0', '0', no],
      ['a', '0', '0', no],
    ],
    ['refused-again'],
  ],
  [
    'twice is not again and again',
    [
      ['a', '0', '1'],
      ['a', '0', '0', no],
      ['a', '0', '0', no],
    ],
    [],
  ],
  [
    'it went well in the end',
    [
      ['a', '0', '0', no],
      ['a', '0', '0', no],
      ['a', '0', '0', no],
      ['a', '0', '1'],
    ],
    [],
  ],
  [
    'for different reasons',
    [
      ['a', '0', '0', no],
      ['a', '0', '0', refusedFor('nay')],
      ['a', '0', '0', no],
    ],
    [],
  ],
  [
    'to different clients',
    [
      ['a', '0', '0', no],
      ['b', '0', '0', no],
      ['a', '0', '0', no],
    ],
    [],
  ],
  ['too late for a version', Array.from({ length: 3 }, (): Write => ['a', '0', '0', refusedFor('no', 409)]), []],
  ['five writes in vain', Array.from({ length: 5 }, (): Write => ['a', '1', '1']), ['written-in-vain']],
  ['four', Array.from({ length: 4 }, (): Write => ['a', '1', '1']), []],
  ['no writes', [], []],
];

test.each(rows)('%s', (_fact, writes, rules) => {
  expect(historyFindings(writes.map(write)).map(({ rule }) => rule)).toEqual(rules);
});

test('fought-over names the field, both users and the values', () => {
  const fight: readonly Write[] = [
    ['a', '0', '1'],
    ['b', '1', '2'],
    ['a', '2', '1'],
    ['b', '1', '2'],
  ];
  expect(historyFindings(fight.map(write))).toEqual([
    {
      rule: 'fought-over',
      severity: 'warning',
      title: 'a and b set data.k back and forth, 4 times',
      evidence: ['"1" by a', '"2" by b', '"1" by a', '"2" by b'],
      remedy: 'let only one of them own the field: remove it from the writes of the others',
    },
  ]);
});
