import { expect, test } from 'vitest';
import type { TracedPlugin, TracedStage } from '../../src/explain/trace/trace.ts';
import { type Row, axisTicks, createWaterfall } from '../../src/ui/waterfall-model.ts';
import { someTrace, someWebhook } from './some-trace.ts';

const stage = (name: string, startedAt: number, milliseconds: number, passed = true): TracedStage => ({
  name,
  startedAt,
  milliseconds,
  passed,
});

const renderRow = (row: Row): string => {
  const times = `${row.start}-${row.end}`;
  if (row.type === 'server')
    return `API server ${row.milliseconds}: ${row.parts.map((one) => `${one.start}-${one.end}`).join(' ')}`;
  if (row.type === 'stage') return `${row.name} ${times} refused`;
  if (row.type === 'plugin') return `  plugin ${row.name} ${row.outcome} ${times}`;
  if (row.type === 'group') return `  ${row.title} ${times}, ${row.skipped} skipped`;
  return `    ${row.webhook.name} ${times}${row.limit === undefined ? '' : ` up to ${row.limit}`}`;
};

test('one row for the API server, then the webhooks round by round', () => {
  const trace = someTrace({
    deadline: 35_000,
    stages: [
      stage('decode-body', 1000, 0.5),
      stage('check-version', 1000.5, 0.5),
      stage('mutating-admission', 1005, 40),
      stage('validating-admission', 1050, 40, false),
    ],
    admission: [
      someWebhook({ timeoutMilliseconds: 5000 }),
      someWebhook({ name: 'b', outcome: 'skipped', startedAt: 1015, milliseconds: 0 }),
      someWebhook({ round: 1, startedAt: 1030, milliseconds: 10 }),
      someWebhook({ name: 'c', phase: 'validating', startedAt: 1050, milliseconds: 40 }),
      someWebhook({ name: 'd', phase: 'validating', startedAt: 1050, milliseconds: 20 }),
    ],
  });
  const { rows, took, bound } = createWaterfall(trace);
  expect(rows.map(renderRow)).toEqual([
    'API server 45: 0-10 15-30 40-50 90-100',
    '  mutating webhooks, one after the other 10-15, 1 skipped',
    '    a.example.com 10-15 up to 5010',
    '  mutating webhooks, second round 30-40, 0 skipped',
    '    a.example.com 30-40',
    'validating admission 50-90 refused',
    '  validating webhooks, at the same time 50-90, 0 skipped',
    '    c 50-90',
    '    d 50-70',
  ]);
  expect([took, bound]).toEqual([100, 34_000]);
});

test('plugins that refused or were slow are at their time, between the webhooks', () => {
  const plugin = (name: string, startedAt: number, fields: Partial<TracedPlugin> = {}): TracedPlugin => ({
    type: 'plugin',
    name,
    phase: 'mutating',
    round: 0,
    outcome: 'passed',
    startedAt,
    milliseconds: 1,
    ...fields,
  });
  const { startedAt: _unknown, ...old } = plugin('FromAnOldFile', 1009, { outcome: 'changed' });
  const trace = someTrace({
    stages: [stage('mutating-admission', 1005, 40), stage('validating-admission', 1045, 5, false)],
    admission: [
      plugin('NamespaceLifecycle', 1005),
      plugin('Priority', 1006, { outcome: 'changed', milliseconds: 1 }),
      old,
      someWebhook({ startedAt: 1010, milliseconds: 5 }),
      plugin('Slow', 1020, { milliseconds: 2 }),
      plugin('PodSecurity', 1046, { phase: 'validating', outcome: 'denied' }),
    ],
  });
  expect(createWaterfall(trace).rows.map(renderRow)).toEqual([
    'API server 95: 0-10 15-100',
    '  mutating webhooks, one after the other 10-15, 0 skipped',
    '    a.example.com 10-15',
    '  plugin Slow passed 20-22',
    'validating admission 45-50 refused',
    '  plugin PodSecurity denied 46-47',
  ]);
});

test('in virtual time no plugin takes time, and only the one that refused has a row', () => {
  const plugin = (name: string, outcome: TracedPlugin['outcome']): TracedPlugin => ({
    type: 'plugin',
    name,
    phase: 'mutating',
    round: 0,
    outcome,
    startedAt: 1000,
    milliseconds: 0,
  });
  const trace = someTrace({
    milliseconds: 0,
    stages: [stage('mutating-admission', 1000, 0, false)],
    admission: [plugin('Priority', 'changed'), plugin('NamespaceLifecycle', 'denied')],
  });
  expect(createWaterfall(trace).rows.map(renderRow)).toEqual([
    'API server 0: ',
    'mutating admission 0-0 refused',
    '  plugin NamespaceLifecycle denied 0-0',
  ]);
});

test('a stage that contains others has no row, also when it refused', () => {
  const stages = [stage('persist', 1045, 10, false), stage('update-object', 1004, 60, false)];
  expect(createWaterfall(someTrace({ stages })).rows.map(renderRow)).toEqual([
    'API server 100: 0-100',
    'persist 45-55 refused',
  ]);
});

test('in virtual time a stage that contains the refusing one has no row', () => {
  const stages = [stage('validating-admission', 1000, 0, false), stage('until-named', 1000, 0, false)];
  expect(createWaterfall(someTrace({ milliseconds: 0, stages })).rows.map(renderRow)).toEqual([
    'API server 0: ',
    'validating admission 0-0 refused',
  ]);
});

test('in virtual time a webhook has one row, in the stage of its phase and attempt', () => {
  const stages = ['decode-body', 'mutating-admission', 'validating-admission'].map((name) => stage(name, 1000, 0));
  const admission = [
    someWebhook({ name: 'm', startedAt: 1000, milliseconds: 0 }),
    someWebhook({ name: 'v', phase: 'validating', startedAt: 1000, milliseconds: 0 }),
    someWebhook({ name: 'm', startedAt: 1000, milliseconds: 0, attempt: 1 }),
  ];
  const trace = someTrace({
    milliseconds: 0,
    stages: [...stages, ...stages.slice(1).map((one) => ({ ...one }))],
    admission,
  });
  expect(createWaterfall(trace).rows.map(renderRow)).toEqual([
    'API server 0: ',
    '  mutating webhooks, one after the other 0-0, 0 skipped',
    '    m 0-0',
    '  validating webhooks, at the same time 0-0, 0 skipped',
    '    v 0-0',
    '  mutating webhooks, one after the other 0-0, 0 skipped',
    '    m 0-0',
  ]);
});

test('a webhook belongs to the attempt in which it ran', () => {
  const stages = [stage('mutating-admission', 1000, 10), stage('mutating-admission', 1050, 10)];
  const admission = [someWebhook({ startedAt: 1001 }), someWebhook({ startedAt: 1052 })];
  expect(createWaterfall(someTrace({ stages, admission })).rows.map(({ type, start }) => [type, start])).toEqual([
    ['server', 0],
    ['group', 1],
    ['webhook', 1],
    ['group', 52],
    ['webhook', 52],
  ]);
});

test('a pause does not count as time of the call', () => {
  const hold = { moment: 'before', startedAt: 1010, milliseconds: 3000, ended: 'continued', by: 'x' } as const;
  const admission = [someWebhook({ timeoutMilliseconds: 1000, milliseconds: 3005, holds: [hold] })];
  const { rows, held } = createWaterfall(someTrace({ stages: [stage('mutating-admission', 1000, 4000)], admission }));
  expect(held).toBe(3000);
  expect(rows.at(-1)).toMatchObject({ start: 10, end: 3015, limit: 4010, holds: [{ start: 10, end: 3010 }] });
});

const axes: readonly [span: number, ticks: readonly number[]][] = [
  [0, [0]],
  [1.5, [0, 0.5, 1, 1.5]],
  [34_000, [0, 10_000, 20_000, 30_000]],
  [100, [0, 20, 40, 60, 80, 100]],
];

test.each(axes)('round times up to %d ms', (span, ticks) => {
  expect(axisTicks(span)).toEqual(ticks);
});
