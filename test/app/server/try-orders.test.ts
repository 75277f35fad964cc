import { expect, test } from 'vitest';
import { valueAt } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import {
  createOrders,
  type OrdersPorts,
  revertWrite,
  type OrderTrialServer,
} from '../../../src/app/server/try-orders.ts';
import { createMemoryStore } from '../../../src/apiserver/storage/memory-store.ts';
import type { Trace } from '../../../src/explain/trace/trace.ts';
// The source imports these dynamically.
import '../../../src/analysis/trials/permute-request.ts';
import '../../../src/analysis/trials/traced-request.ts';
import { someTrace } from '../../ui/some-trace.ts';

const { request } = someTrace();
const traces: Readonly<Record<string, Trace>> = {
  deleted: someTrace({ request: { ...request, verb: 'delete', method: 'DELETE' } }),
  patched: someTrace({ request: { ...request, verb: 'patch', method: 'PATCH' } }),
  created: someTrace({ request: { ...request, body: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'web' } } } }),
};

const staying = (): AbortSignal => new AbortController().signal;
const nowhere: OrdersPorts = { traceOf: (asked) => traces[asked], openTrial: () => undefined, expiry: staying };

test.each([
  ['gone', 404, 'no trace "gone": only the last writes are kept'],
  ['deleted', 400, 'mutating webhooks do not change deletions'],
  ['patched', 400, 'it cannot be sent again: what was sent is not in the trace'],
  ['created', 400, 'orders can be tried only with objects in memory: without --data-dir and etcd'],
])('a request that cannot be tried: %s', async (id, code, message) => {
  const { tried: orders } = createOrders(nowhere);
  expect(await orders(id, false, staying())).toEqual({ outcome: 'refused', code, message });
});

test('one request at a time', async () => {
  const { tried: orders } = createOrders(nowhere);
  const [first, second] = await Promise.all([orders('created', false, staying()), orders('created', false, staying())]);
  expect([first, second]).toMatchObject([{ code: 400 }, { code: 429 }]);
  expect(await orders('created', false, staying())).toMatchObject({ code: 400 });
});

/** A server that is never ready. */
const hanging = { api: { ready: () => new Promise(() => {}) } } as unknown as OrderTrialServer; // Nothing else of it is used.

test.each([
  ['the client disconnects', 'gone', 499, 'the client has disconnected'],
  [
    'it takes too long',
    'expiry',
    504,
    'not all orders were tried within 60 s: a webhook is slow; kadmit order has no limit',
  ],
] as const)('it ends when %s; the next request is served', async (_fact, ends, code, message) => {
  const stops = { gone: new AbortController(), expiry: new AbortController() };
  const expiries = [stops.expiry.signal];
  const { tried: orders } = createOrders({
    ...nowhere,
    openTrial: () => hanging,
    expiry: () => expiries.pop() ?? staying(),
  });
  const trying = orders('created', false, stops.gone.signal);
  expect(await orders('created', false, staying())).toMatchObject({ code: 429 });
  stops[ends].abort();
  expect(await trying).toEqual({ outcome: 'refused', code, message });
  expect(await orders('deleted', false, staying())).toMatchObject({ code: 400 });
});

const pods = { group: '', resource: 'pods' };
const key = { resource: pods, namespace: 'shop', name: 'web' };
const pod = (label: string, apiVersion = 'v1'): KubernetesObject => ({
  apiVersion,
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', labels: { a: label } },
});

test.each([
  ['a created object is removed', [pod('now')], null, undefined],
  ['a changed object is restored', [pod('now')], pod('before'), 'before'],
  ['a deleted object is restored', [], pod('before'), 'before'],
  ['an object in another version stays', [pod('now', 'v2')], pod('before'), 'now'],
])('before a repetition, %s', async (_fact, stored, objectBefore, label) => {
  const storage = createMemoryStore();
  for (const object of stored) await storage.create(key, object);
  await revertWrite(storage, someTrace({ objectBefore }));
  expect(valueAt((await storage.read(key))?.object, 'metadata', 'labels', 'a')).toBe(label);
});
