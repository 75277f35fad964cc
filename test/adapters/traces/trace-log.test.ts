import { expect, test } from 'vitest';
import { isTraced } from '../../../src/explain/trace/trace-summary.ts';
import { createTraceLog } from '../../../src/adapters/traces/trace-log.ts';
import { register } from '../../harness/configurations.ts';
import { httpReply } from '../../harness/admission.ts';
import { createTestWorld } from '../../harness/world.ts';
import type { FinishedRequest } from '../../../src/apiserver/request/handle.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

async function finishedWrites(count: number, size = 0): Promise<readonly FinishedRequest[]> {
  const world = await createTestWorld();
  for (let index = 0; index < count; index += 1) {
    await world.send('POST', configMaps, { metadata: { name: `m${index}` }, data: { k: 'x'.repeat(size) } });
  }
  return world.finished;
}

test('only writes and connections are traced', async () => {
  const world = await createTestWorld();
  await world.send('GET', configMaps);
  await world.send('POST', configMaps, { metadata: { name: 'a' } });
  await world.send('DELETE', configMaps);
  await world.send('POST', '/api/v1/namespaces/default/pods/p/exec');
  await world.send('GET', '/healthz');
  expect(world.finished.map(isTraced)).toEqual([false, true, true, true, false]);
});

test('newest first, up to the count', async () => {
  const log = createTraceLog({ count: 2, bytes: 1e9 });
  for (const finished of await finishedWrites(3)) log.record(finished, 0);
  expect(log.list(10).map(({ id }) => id)).toEqual(['audit-3', 'audit-2']);
  expect(log.list(1).map(({ id }) => id)).toEqual(['audit-3']);
  expect(log.get('audit-1')).toBeUndefined();
  expect(log.get('audit-2')?.id).toBe('audit-2');
});

test('the newest up to the byte limit', async () => {
  const log = createTraceLog({ count: 100, bytes: 250_000 });
  for (const finished of await finishedWrites(5, 50_000)) log.record(finished, 0);
  const ids = log.list(10).map(({ id }) => id);
  expect(ids[0]).toBe('audit-5');
  expect(ids.length).toBeLessThan(5);
});

test('many short values take more than their text', async () => {
  const log = createTraceLog({ count: 100, bytes: 1_500_000 });
  const text = Buffer.from(JSON.stringify({ data: Array.from({ length: 10_000 }, () => 'a') }));
  const finished = await finishedWrites(3);
  for (const one of finished) log.record({ ...one, request: { ...one.request, body: text } }, 0);
  expect(log.list(10).map(({ id }) => id)).toEqual(['audit-3']);
});

test.each([
  ['a verdict with long warnings', () => ({ warnings: ['x'.repeat(100_000)] }), 1_000_000],
  ['a verdict of many values', () => ({ warnings: Array.from({ length: 10_000 }, () => 'a') }), 2_000_000],
  ['an answer that is no verdict', () => httpReply('x'.repeat(100_000)), 1_000_000],
])('%s is in the trace, and counts', async (_name, respond, bytes) => {
  const world = await createTestWorld({ responses: { 'a.example.com': respond } });
  await register(world, 'validating', { name: 'a.example.com', failurePolicy: 'Ignore' });
  for (let index = 0; index < 9; index += 1) await world.send('POST', configMaps, { metadata: { name: `m${index}` } });
  const writes = world.finished.slice(1);
  const keptOf = (most: number): number => {
    const log = createTraceLog({ count: 100, bytes: most });
    for (const finished of writes) log.record(finished, 0);
    return log.list(100).length;
  };
  expect(keptOf(bytes)).toBeLessThan(5);
  expect(keptOf(10 * bytes)).toBe(9);
});

test('a repeated Audit-Id replaces its earlier request', async () => {
  const log = createTraceLog({ count: 10, bytes: 1e9 });
  const [first, second] = await finishedWrites(2);
  if (!first || !second) throw new Error('nothing was traced');
  log.record(first, 0);
  log.record({ ...second, request: { ...second.request, auditId: 'audit-1' } }, 0);
  expect(log.list(10)).toHaveLength(1);
  expect(log.get('audit-1')?.request.name).toBe('m1');
});
