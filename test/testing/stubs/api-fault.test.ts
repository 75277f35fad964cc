import { expect, test } from 'vitest';
import type { ApiResponse, OpenWatch, WatchEvent } from '../../../src/apiserver/request/api-request.ts';
import type { Handle } from '../../../src/apiserver/request/handle.ts';
import { apiCallOf } from '../../../src/app/compose/session.ts';
import type { ApiFault, ApiFaultKind } from '../../../src/testing/stubs/api-fault.ts';
import { createVirtualClock } from '../../../src/testing/stubs/virtual-clock.ts';
import { createApiFaults, withApiFaults } from '../../../src/testing/stubs/with-api-faults.ts';

const clock = createVirtualClock(0);
let stopped = 0;
let sendLater: (event: WatchEvent) => void = () => {};
let endInside = (): void => {};
/** Two objects and a bookmark while it is being opened. */
const open: OpenWatch = (send, end) => {
  send({ type: 'BOOKMARK', object: {} });
  for (const name of ['a', 'b']) send({ type: 'ADDED', object: { metadata: { name } } });
  sendLater = send;
  endInside = end;
  return () => (stopped += 1);
};

const handled: Handle = async ({ query }) =>
  query.has('watch') ? { type: 'watch', open } : { type: 'object', code: 200, body: { kind: 'Pod' }, warnings: [] };

function faulty(faults: readonly ApiFault[], seed = 1): (request: string) => Promise<ApiResponse> {
  const handle: Handle = withApiFaults(handled, { faults: createApiFaults(faults, seed), clock, callOf: apiCallOf });
  return (request) => {
    const [method = '', path = '', query = ''] = request.split(/[ ?]/);
    return handle({
      method,
      path,
      query: new URLSearchParams(query),
      headers: {},
      body: new Uint8Array(),
      certificate: undefined,
      auditId: '',
      receivedAt: 0,
      signal: () => new AbortController().signal,
    });
  };
}

const conflict = { what: { type: 'conflict' } } as const;
const busy = { what: { type: 'too-many-requests' } } as const;
const web = '/apis/apps/v1/namespaces/shop/deployments/web';

const cases: readonly [fault: ApiFault, hit: readonly string[], spared: readonly string[]][] = [
  [conflict, [`PUT ${web}`, `PATCH ${web}/status`], [`GET ${web}`, 'POST /api/v1/namespaces', `DELETE ${web}`]],
  [{ ...conflict, verbs: ['delete'] }, [`DELETE ${web}`], [`PUT ${web}`]],
  [busy, [`GET ${web}`, 'GET /api/v1/nodes', 'POST /api/v1/namespaces'], ['GET /healthz', 'GET /version']],
  [{ ...busy, resources: ['deployments.apps'] }, [`GET ${web}`], [`GET ${web}/status`, 'GET /api/v1/pods']],
  [
    { ...busy, resources: ['deployments.apps/status', 'pods'] },
    [`GET ${web}/status`, 'GET /api/v1/pods'],
    [`GET ${web}`],
  ],
  [{ ...busy, namespaces: ['shop'] }, [`GET ${web}`], ['GET /api/v1/nodes', 'GET /api/v1/namespaces/b/pods']],
  [{ ...busy, probability: 0 }, [], [`GET ${web}`]],
];

test.each(cases)('%j', async (fault, hit, spared) => {
  const ask = faulty([fault]);
  for (const request of hit) expect([request, (await ask(request)).type]).toEqual([request, 'status']);
  for (const request of spared) expect([request, (await ask(request)).type]).toEqual([request, 'object']);
});

// Source: apimachinery pkg/api/errors/errors.go, apiserver pkg/registry/generic/registry/store.go.
test('the Statuses are upstream’s', async () => {
  expect(await faulty([conflict])(`PUT ${web}`)).toMatchObject({
    status: {
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again',
      details: { name: 'web', group: 'apps', kind: 'deployments' },
    },
  });
  expect(await faulty([{ what: { type: 'too-many-requests', retryAfterSeconds: 3 } }])(`GET ${web}`)).toMatchObject({
    status: { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 3 } },
  });
});

test('the requests that fit are counted, and the first fault that is due happens', async () => {
  const ask = faulty([
    { ...conflict, calls: [2, 3] },
    { ...busy, verbs: ['update'], calls: [3, 4] },
  ]);
  const said = [];
  for (let count = 0; count < 5; count += 1) {
    await ask(`GET ${web}`);
    const response = await ask(`PUT ${web}`);
    said.push(response.type === 'status' ? response.status.code : 200);
  }
  expect(said).toEqual([200, 409, 409, 429, 200]);
});

test('chance depends on the seed', async () => {
  const many = async (seed: number): Promise<string> => {
    const ask = faulty([{ ...busy, probability: 0.5 }], seed);
    let said = '';
    for (let count = 0; count < 30; count += 1) said += (await ask(`GET ${web}`)).type.charAt(0);
    return said;
  };
  expect(await many(1)).toBe(await many(1));
  expect(await many(1)).not.toBe(await many(2));
});

test('new faults count from 1 again', () => {
  const faults = createApiFaults([{ ...busy, calls: [2] }], 1);
  const call = { verb: 'get', group: '', resource: 'pods', subresource: '', namespace: '', name: '' };
  expect([faults.take(call), faults.take(call)?.type]).toEqual([undefined, 'too-many-requests']);
  faults.configure([{ ...conflict, verbs: ['get'], calls: [1] }]);
  expect([faults.take(call)?.type, faults.take(call)]).toEqual(['conflict', undefined]);
});

/** What the client of a watch sees, and how often what is behind it was stopped. */
async function watch(what: ApiFaultKind, query = '') {
  const response = await faulty([{ what }])(`GET /api/v1/pods?watch=1${query}`);
  if (response.type !== 'watch') throw new Error(response.type);
  const seen: { events: WatchEvent[]; ends: number } = { events: [], ends: 0 };
  const before = stopped;
  const stop = response.open(
    (event) => seen.events.push(event),
    () => (seen.ends += 1),
  );
  const received = () => [seen.events.map(({ type }) => type).join(' '), seen.ends, stopped - before];
  return { stop, received, seen };
}

test('a dropped watch has its events until it ends', async () => {
  const { stop, received } = await watch({ type: 'drop-watch', afterMs: 500 });
  await clock.advance(499);
  expect(received()).toEqual(['BOOKMARK ADDED ADDED', 0, 0]);
  await clock.advance(1);
  stop();
  sendLater({ type: 'MODIFIED', object: {} });
  expect(received()).toEqual(['BOOKMARK ADDED ADDED', 1, 1]);
});

test('a watch that its client leaves is not ended again', async () => {
  const { stop, received } = await watch({ type: 'drop-watch', afterMs: 500 });
  stop();
  await clock.advance(1000);
  expect(received()).toEqual(['BOOKMARK ADDED ADDED', 0, 1]);
});

test('a watch that ends before it is dropped ends once, and what is behind it is stopped', async () => {
  const { stop, received } = await watch({ type: 'drop-watch', afterMs: 500 });
  endInside();
  stop();
  await clock.advance(1000);
  expect(received()).toEqual(['BOOKMARK ADDED ADDED', 1, 1]);
});

const drops: readonly [what: ApiFaultKind, events: string][] = [
  [{ type: 'drop-watch' }, ''],
  [{ type: 'drop-watch', afterEvents: 0 }, ''],
  [{ type: 'drop-watch', afterEvents: 1 }, 'BOOKMARK ADDED'],
  [{ type: 'drop-watch', afterEvents: 2, afterMs: 1000 }, 'BOOKMARK ADDED ADDED'],
];

test.each(drops)('%j ends while it is being opened', async (what, events) => {
  const { received, stop } = await watch(what);
  sendLater({ type: 'MODIFIED', object: {} });
  stop();
  expect(received()).toEqual([events, 1, 1]);
});

test('bookmarks are no events', async () => {
  const { received } = await watch({ type: 'drop-watch', afterEvents: 3 });
  sendLater({ type: 'BOOKMARK', object: {} });
  expect(received()).toEqual(['BOOKMARK ADDED ADDED BOOKMARK', 0, 0]);
  sendLater({ type: 'MODIFIED', object: {} });
  sendLater({ type: 'MODIFIED', object: {} });
  expect(received()).toEqual(['BOOKMARK ADDED ADDED BOOKMARK MODIFIED', 1, 1]);
});

// Source: apiserver pkg/storage/cacher/watch_cache.go, pkg/storage/cacher/cacher.go (newErrWatcher).
test('an expired watch says so and ends', async () => {
  const { received, seen } = await watch({ type: 'expire-watch' }, '&resourceVersion=41');
  expect(received()).toEqual(['ERROR', 1, 1]);
  expect(seen.events[0]?.object).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version: 41 (42)',
    reason: 'Expired',
    code: 410,
  });
});

test.each(['', '&resourceVersion=0', '&resourceVersion=41&sendInitialEvents=true'])(
  'a watch that begins with what is there cannot be too old: %j',
  async (query) => {
    const { received, stop } = await watch({ type: 'expire-watch' }, query);
    stop();
    expect(received()).toEqual(['BOOKMARK ADDED ADDED', 0, 1]);
  },
);
