import { expect, test } from 'vitest';
import type { AdmissionRecord } from '../../../src/apiserver/admission/chain/outcome.ts';
import { failure } from '../../../src/machinery/meta/status.ts';
import type { JournalEntry } from '../../../src/apiserver/request/journal.ts';
import { packJournal, unpackJournal } from '../../../src/explain/trace/packed-journal.ts';

const [first, second] = ['first', 'second'].map((name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name } }));

const plugin = (name: string, more: object = {}): AdmissionRecord => ({
  type: 'plugin',
  plugin: name,
  phase: 'validating',
  round: 0,
  outcome: { outcome: 'passed', changed: false },
  object: first ?? null,
  warnings: [],
  startedAt: 10.5,
  finishedAt: 11.25,
  ...more,
});

const pass = (...records: readonly AdmissionRecord[]): Extract<JournalEntry, { readonly type: 'admission' }> => ({
  type: 'admission',
  phase: 'validating',
  result: {
    verdict: { outcome: 'admitted', object: first ?? null },
    received: second ?? null,
    records,
    warnings: ['be careful'],
    annotations: [{ key: 'a.example.com/b', value: 'c', level: 'Metadata' }],
  },
});

const inTurn: JournalEntry = {
  ...pass(plugin('A')),
  turn: { object: 'web', again: 'removal' },
};

const stage = (name: string, startedAt: number, passed = true): JournalEntry => ({
  type: 'stage',
  name,
  startedAt,
  finishedAt: startedAt + 0.125,
  passed,
});

const refused = { outcome: 'denied', status: failure({ code: 403, reason: 'Forbidden', message: 'no' }) };

test.each<readonly [string, readonly JournalEntry[]]>([
  ['nothing', []],
  ['stages', [stage('decode', 1), stage('admit', 2.5, false)]],
  ['a pass that is not the only one', [inTurn]],
  ['a pass between stages', [stage('decode', 1), pass(plugin('A'), plugin('B')), stage('store', 3)]],
  ['plugins in another round', [pass(plugin('A'), plugin('A', { round: 1, startedAt: 20, finishedAt: 21 }))]],
  [
    'plugins that had something to say',
    [
      pass(
        plugin('Quiet'),
        plugin('Changes', { outcome: { outcome: 'passed', changed: true }, object: second }),
        plugin('After', { object: second }),
        plugin('Warns', { warnings: ['old'] }),
        plugin('Refuses', { outcome: refused, object: null }),
      ),
    ],
  ],
])('comes back as it was: %s', (_what, entries) => {
  expect(unpackJournal(packJournal(entries))).toEqual(entries);
});

test('journals share pages of numbers, and one may need more than a page', () => {
  const journals = Array.from({ length: 5000 }, (_, at) => [
    stage('decode', at),
    pass(...Array.from({ length: at % 7 }, (_one, nth) => plugin(`P${nth}`, { startedAt: at + nth }))),
    stage('store', at + 0.5),
  ]);
  journals.push([pass(...Array.from({ length: 20_000 }, (_, nth) => plugin('Many', { startedAt: nth })))]);
  journals.push([stage('after', 1)]);
  const packed = journals.map(packJournal);
  expect(packed.map(unpackJournal)).toEqual(journals);
});

/** The plugins of a pass in this order. */
const passOf = (...names: readonly string[]): JournalEntry => pass(...names.map((name) => plugin(name)));

test.each([
  ['the same', ['A', 'B', 'C'], true],
  ['another first', ['X', 'B', 'C'], false],
  ['another in the middle', ['A', 'X', 'C'], false],
  ['another last', ['A', 'B', 'X'], false],
  ['all others', ['X', 'Y', 'Z'], false],
  ['one less', ['A', 'B'], false],
  ['one more', ['A', 'B', 'C', 'D'], false],
])('passes of the same plugins keep one list of them: %s', (_what, names, isOne) => {
  const journals = [[passOf('A', 'B', 'C')], [passOf(...names)]];
  const packed = journals.map(packJournal);
  expect(packed.map(unpackJournal)).toEqual(journals);
  const [[one] = [], [other] = []] = packed.map(({ lines }) => lines.map((line) => Object(line).lines));
  expect([one, other]).toEqual([['A', 'B', 'C'], names]);
  expect(one === other).toBe(isOne);
});

test('one plugin is a list too', () => {
  const journals = [[passOf('A')], [passOf('B')], [passOf('B')], [passOf('A')], [passOf()]];
  expect(journals.map(packJournal).map(unpackJournal)).toEqual(journals);
});

test('a plugin that let an object pass as it was is its name, and each object is kept once', () => {
  const [changed, refusal] = [
    plugin('Changes', { outcome: { outcome: 'passed', changed: true }, object: second }),
    plugin('Refuses', { outcome: refused, object: null }),
  ];
  const quiet = [plugin('A'), plugin('B')];
  const after = [plugin('C', { object: second }), plugin('D', { object: null }), plugin('E', { object: null })];
  const { lines } = packJournal([pass(...quiet, changed, ...after, refusal)]);
  expect(lines).toMatchObject([{ lines: ['A', 'B', changed, 'C', 'D', 'E', refusal], objects: [first, second, null] }]);
});

test('what no plugin said stays as it is', () => {
  const unasked: AdmissionRecord = {
    type: 'unasked-policies',
    phase: 'validating',
    round: 0,
    hooks: [],
    exempt: [],
    request: {
      operation: 'CREATE',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      subresource: '',
      namespace: 'n',
    },
    at: 5,
  };
  const record = { definition: 'as.example.com', kind: 'A', namespace: '', name: 'a', from: 'e/v1', to: 'e/v2' };
  const conversion: JournalEntry = {
    type: 'conversion',
    record: { ...record, strategy: 'None', startedAt: 1, finishedAt: 2 },
  };
  const entries = [stage('decode', 1), conversion, pass(plugin('A'), unasked, plugin('B')), stage('store', 2)];
  const packed = packJournal(entries);
  expect(unpackJournal(packed)).toEqual(entries);
  expect(packed.lines).toMatchObject(['decode', conversion, { lines: ['A', unasked, 'B'] }, 'store']);
});
