import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const fault = (what: string): string => `400 invalid timeout specified in the request URL - time: ${what}`;

// Source: apiserver pkg/endpoints/filters/request_deadline.go, beside v1.36.2: every verb and path but what takes long by its nature.
test.each<readonly [method: string, path: string, answer: string]>([
  ['GET', `${configMaps}?timeout=x`, fault('invalid duration "x"')],
  ['GET', `${configMaps}/absent?timeout=5`, fault('missing unit in duration "5"')],
  ['GET', '/apis?timeout=1x', fault('unknown unit "x" in duration "1x"')],
  ['GET', '/apis/absent.example.com/v1/x?timeout=x', fault('invalid duration "x"')],
  ['POST', `${configMaps}?timeout=x`, fault('invalid duration "x"')],
  ['DELETE', `${configMaps}?timeout=x`, fault('invalid duration "x"')],
  ['GET', `${configMaps}?timeout=`, '200'],
  ['GET', `${configMaps}?timeout=-1s`, '200'],
  ['GET', `${configMaps}?timeout=1s`, '200'],
  ['GET', `${configMaps}?watch=1&timeout=x`, '200'],
])('%s %s is answered %s', async (method, path, answer) => {
  const world = await createTestWorld();
  const { code, message } = await world.send(method, path);
  expect(`${code} ${message}`.trim()).toBe(answer);
});

// Source: apiserver pkg/endpoints/filters/request_deadline.go with --request-timeout=5s.
test.each([
  ['', 5000],
  ['?timeout=2s', 2000],
  ['?timeout=30s', 5000],
  ['?timeout=0s', 5000],
])('a write%s has until %d ms', async (query, until) => {
  const world = await createTestWorld({ maxRequestMs: 5000 });
  await world.send('POST', `${configMaps}${query}`, { metadata: { name: 'a' } });
  const { exchange, request } = world.finished.at(-1) ?? {};
  expect((exchange?.deadline.at() ?? 0) - (request?.receivedAt ?? 0)).toBe(until);
});
