import { expect, test } from 'vitest';
import { modelOf } from '../../../src/explain/render/model.ts';
import { createTraceLog } from '../../../src/adapters/traces/trace-log.ts';
import { summaryOf, webhookNames } from '../../../src/explain/trace/trace-summary.ts';
import { createTestWorld } from '../../harness/world.ts';
import { someTrace, someWebhook } from '../../ui/some-trace.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

async function someTraces() {
  const world = await createTestWorld();
  const log = createTraceLog({ count: 10, bytes: 1e9 });
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  await world.send('PUT', '/api/v1/namespaces/nowhere/configmaps/b', { metadata: { name: 'b' } });
  await world.send('POST', '/apis/apps/v1/namespaces/default/deployments?dryRun=All', { metadata: { name: 'd' } });
  for (const finished of world.finished) log.record(finished, 0);
  return log;
}

test('a summary has the fields of its trace', async () => {
  const log = await someTraces();
  const summaries = log.list(10).map(({ sequence: _sequence, ...summary }) => summary);
  expect(summaries).toEqual(summaries.map(({ id }) => summaryOf(log.get(id) ?? never(id))));
  expect(summaries.map(({ code, resource, message }) => [code, resource, message !== ''])).toContainEqual([
    409,
    'configmaps',
    true,
  ]);
});

test('requests after a sequence number, oldest first', async () => {
  const log = await someTraces();
  const [newest, ...older] = log.list(10);
  expect(log.since(older[0]?.sequence ?? 0)).toEqual([newest]);
  expect(log.since(0)).toHaveLength(4);
  expect(log.since(newest?.sequence ?? 0)).toEqual([]);
});

test('requests before a sequence number, newest first, up to a limit', async () => {
  const log = await someTraces();
  const [, ...older] = log.list(10);
  expect(log.before(log.list(1)[0]?.sequence ?? 0, 2)).toEqual(older.slice(0, 2));
  expect(log.before(1, 10)).toEqual([]);
});

test('a listener hears of each record until it stops', async () => {
  const world = await createTestWorld();
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  const log = createTraceLog();
  let heard = 0;
  const stop = log.onRecorded(() => {
    heard += 1;
  });
  for (const finished of world.finished) log.record(finished, 0);
  stop();
  for (const finished of world.finished) log.record(finished, 0);
  expect(heard).toBe(1);
});

function never(id: string): never {
  throw new Error(`no trace ${id}`);
}

test('a webhook for other objects is not listed as skipped', () => {
  const named = (name: string, because: 'exempt' | 'no-rule-matched') => ({
    name,
    outcome: 'skipped',
    reason: { because },
  });
  expect(webhookNames([named('a', 'exempt'), named('b', 'no-rule-matched')]).skipped).toEqual(['b']);
});

const hold = (startedAt: number, milliseconds: number) =>
  ({ moment: 'before', startedAt, milliseconds, ended: 'continued', by: 'x' }) as const;

test('the time is without that at breakpoints, which may overlap', () => {
  const admission = [
    someWebhook({ holds: [hold(1010, 3000), hold(4020, 50)] }),
    someWebhook({ name: 'b', holds: [hold(1500, 2600)] }),
  ];
  const trace = someTrace({ milliseconds: 3200, admission });
  expect(summaryOf(trace).milliseconds).toBe(110);
  expect(modelOf(trace).verdict.milliseconds).toBe(110);
});
