import { expect, test } from 'vitest';
import type { ApiRequest } from '../../../src/apiserver/request/api-request.ts';
import { createInFlight } from '../../../src/apiserver/request/in-flight.ts';
import { requestInfoOf } from '../../../src/apiserver/request/request-info.ts';
import { createTestWorld } from '../../harness/world.ts';

const user = { username: 'amy', uid: '', groups: ['system:authenticated'], extra: {} };
const master = { ...user, groups: ['system:masters'] };
const pods = '/api/v1/namespaces/default/pods';
const info = (method: string, target: string) => {
  const url = new URL(target, 'https://kadmit');
  return requestInfoOf(method, url.pathname, url.searchParams);
};

// Source: apiserver pkg/server/filters/maxinflight_test.go, longrunning.go.
test('counts reads and writes apart until they end', () => {
  const enter = createInFlight({ reads: 2, writes: 1 });
  const [first, second] = [enter(info('GET', pods), user), enter(info('GET', `${pods}/a`), user)];
  expect([first, second]).not.toContain(undefined);
  expect(enter(info('GET', pods), user)).toBeUndefined();
  const write = enter(info('POST', pods), user);
  expect(write).toBeDefined();
  expect(enter(info('DELETE', `${pods}/a`), user)).toBeUndefined();
  write?.();
  first?.();
  expect(enter(info('DELETE', `${pods}/a`), user)).toBeDefined();
  expect(enter(info('GET', pods), user)).toBeDefined();
  expect(enter(info('GET', pods), user)).toBeUndefined();
});

test.each([
  ['a watch', 'GET', `${pods}?watch=true`, user],
  ['the log of a Pod', 'GET', `${pods}/a/log`, user],
  ['exec', 'POST', `${pods}/a/exec`, user],
  ['attach', 'GET', `${pods}/a/attach`, user],
  ['portforward', 'GET', `${pods}/a/portforward`, user],
  ['proxy', 'GET', `${pods}/a/proxy`, user],
  ['a member of system:masters', 'GET', pods, master],
])('%s is not limited', (_fact, method, target, who) => {
  const enter = createInFlight({ reads: 1, writes: 1 });
  for (const one of ['GET', 'POST']) enter(info(one, pods), user);
  expect(enter(info(method, target), who)).toBeDefined();
});

test('0 is any number', () => {
  const enter = createInFlight({ reads: 0, writes: 1 });
  for (let turn = 0; turn < 10; turn += 1) expect(enter(info('GET', pods), user)).toBeDefined();
});

const asked = (method: string, path: string): ApiRequest => ({
  method,
  path,
  query: new URLSearchParams(),
  headers: {},
  body: new Uint8Array(),
  certificate: { commonName: 'amy', organizations: [] },
  auditId: 'a',
  receivedAt: 0,
  signal: () => new AbortController().signal,
});

// Source: kube-apiserver v1.36.2 with --enable-priority-and-fairness=false and both limits 1.
test('a request over the limit gets a plain text, and later ones are served again', async () => {
  const { enterInFlight } = { enterInFlight: createInFlight({ reads: 1, writes: 1 }) };
  const leave = enterInFlight(info('GET', pods), user);
  const world = await createTestWorld({ authorizationMode: 'AlwaysAllow', limits: { enterInFlight } });
  expect(await world.handle(asked('GET', pods))).toEqual({
    type: 'document',
    code: 429,
    contentType: 'text/plain; charset=utf-8',
    headers: { 'retry-after': '1', 'x-content-type-options': 'nosniff' },
    body: 'Too many requests, please try again later.\n',
  });
  leave?.();
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await world.handle(asked('GET', pods))).toMatchObject({ type: 'object', code: 200 });
    expect(await world.handle(asked('GET', '/api/v1/namespaces/default/pods/none'))).toMatchObject({ type: 'status' });
  }
});

// Source: apiserver pkg/endpoints/filters/request_deadline.go with --request-timeout=5s.
test.each([
  ['', 5000],
  ['?timeout=2s', 2000],
  ['?timeout=30s', 5000],
  ['?timeout=0s', 5000],
])('a write%s has until %d ms', async (query, until) => {
  const world = await createTestWorld({ limits: { maxRequestMs: 5000 } });
  await world.send('POST', `/api/v1/namespaces/default/configmaps${query}`, { metadata: { name: 'a' } });
  const { exchange, request } = world.finished.at(-1) ?? {};
  expect((exchange?.deadline.at() ?? 0) - (request?.receivedAt ?? 0)).toBe(until);
});

// Source: apiserver pkg/server/config.go longRunningRequestCheck: these prefixes, no others.
test.each([
  ['/debug/pprof/profile', true],
  ['/debug/pprof/', true],
  ['/debug/pprof', false],
  ['/debug/flags/v', false],
  ['/logs/debug/pprof/', false],
])('%s runs long: %s', (path, runsLong) => {
  const enter = createInFlight({ reads: 1, writes: 1 });
  enter(info('GET', pods), user);
  expect(enter(info('GET', path), user) !== undefined).toBe(runsLong);
});
