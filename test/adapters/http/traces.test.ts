import { expect, test } from 'vitest';
import { serveTraces } from '../../../src/adapters/http/traces.ts';
import type { ApiRequest } from '../../../src/apiserver/request/api-request.ts';
import { createTraceLog, type TraceLog } from '../../../src/adapters/traces/trace-log.ts';
import { createTestWorld } from '../../harness/world.ts';

const kept = 50;

/** The log of a world that has been written to, which shows how many whole traces were made. */
async function countedLog(): Promise<{ readonly log: TraceLog; readonly made: () => number }> {
  const world = await createTestWorld();
  const log = createTraceLog();
  for (let at = 0; at < kept; at += 1) {
    await world.send('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: `c-${at}` } });
  }
  for (const finished of world.finished) log.record(finished, world.clock.now());
  let made = 0;
  const get: TraceLog['get'] = (id) => {
    made += 1;
    return log.get(id);
  };
  return { log: { ...log, get }, made: () => made };
}

const asking = (query: string): ApiRequest => ({
  method: 'GET',
  path: '/kadmit/v1/traces',
  query: new URLSearchParams(query),
  headers: {},
  body: new Uint8Array(),
  certificate: undefined,
  auditId: 'a',
  receivedAt: 0,
  signal: () => new AbortController().signal,
});

async function* partsOf(log: TraceLog, request: ApiRequest): AsyncIterable<string> {
  const response = serveTraces(log)(request);
  if (response?.type !== 'document' || typeof response.body === 'string' || response.body instanceof Uint8Array)
    throw new Error('no parts');
  for await (const part of response.body) yield String(part);
}

test('whole traces are made one by one, as the client takes them', async () => {
  const { log, made } = await countedLog();
  const madeAtPart: number[] = [];
  for await (const _part of partsOf(log, asking('full=true&limit=10000'))) madeAtPart.push(made());
  expect(madeAtPart).toEqual([0, ...Array.from({ length: kept }, (_none, at) => at + 1), kept]);
});

test('the parts are one JSON text', async () => {
  const { log } = await countedLog();
  let text = '';
  for await (const part of partsOf(log, asking('full=true&limit=3'))) text += part;
  const { items }: { readonly items: readonly unknown[] } = JSON.parse(text);
  expect(items).toEqual(log.list(3).map(({ id }) => expect.objectContaining({ id })));
});

test('those after a sequence number come oldest first, and 0 is before all', async () => {
  const { log } = await countedLog();
  const items = async (query: string): Promise<readonly number[]> => {
    const response = serveTraces(log)(asking(query));
    const body = response?.type === 'document' && typeof response.body === 'string' ? response.body : '';
    return JSON.parse(body).items.map(({ sequence }: { sequence: number }) => sequence);
  };
  expect(await items('after=48')).toEqual([49, 50]);
  expect(await items('after=50')).toEqual([]);
  expect(await items('after=0')).toHaveLength(kept);
  expect((await items('after=0'))[0]).toBe(1);
  expect(await items('limit=2')).toEqual([50, 49]);
});

test('who was asked is gathered when the summary is written, not when it is listed', async () => {
  const { log } = await countedLog();
  const [summary] = log.list(1);
  expect(Object.getOwnPropertyDescriptor(summary, 'webhooks')).not.toHaveProperty('value');
  expect(JSON.parse(JSON.stringify(summary))).toMatchObject({ webhooks: { called: [], skipped: [] } });
});
