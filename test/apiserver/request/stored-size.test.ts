import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld } from '../../harness/world.ts';

const mebibyte = 1024 * 1024;
const large = 'x'.repeat(1.6 * mebibyte);
const apply = { contentType: 'application/apply-patch+yaml' };

// Source: kubernetes test/integration/apiserver/apply/apply_test.go TestApplyUpdate*, TestPatchVeryLargeObject; etcd's limits.
test('what is too large for etcd is not stored', async () => {
  const world = await createTestWorld();
  const secret = (length: number): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: 'a' },
    revision: 1,
    data: { text: 'x'.repeat(length) },
  });
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const large = await world.send('POST', path, secret(1.6 * mebibyte));
  expect(`${large.code} ${large.message}`).toBe('500 etcdserver: request is too large');
  const larger = await world.send('POST', path, secret(2.5 * mebibyte));
  expect(`${larger.code} ${larger.message}`).toMatch(
    /^500 rpc error: code = ResourceExhausted desc = trying to send message larger than max \(\d+ vs\. 2097152\)$/,
  );
  expect((await world.send('POST', `${path}?dryRun=All`, secret(1.6 * mebibyte))).code).toBe(201);
  expect((await world.send('POST', path, secret(1.4 * mebibyte))).code).toBe(201);
});

test.each([
  ['the first of a list', [large]],
  ['the second of a list', ['', large]],
  ['the last of a list', ['', '', '', large]],
  ['below a list', [{ a: { b: [large] } }]],
  ['many of a list', Array.from({ length: 1_000 }, () => large.slice(0, 1_700))],
  ['more values than are counted at once', Array.from({ length: 60_000 }, () => large.slice(0, 30))],
  ['many letters of three bytes', ['\u20ac'.repeat(mebibyte * 0.55)]],
])('what is too large is found where it stands: %s', async (_where, list) => {
  const world = await createTestWorld();
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const revision = {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: { name: 'a' },
    revision: 1,
    data: { list },
  };
  const { code, message } = await world.send('POST', path, revision);
  expect(`${code} ${message}`).toBe('500 etcdserver: request is too large');
});

const data = (keys: number): JsonObject =>
  Object.fromEntries(Array.from({ length: keys }, (_key, index) => [`${'k'.repeat(200)}${index}`, '']));
const path = '/api/v1/namespaces/default/configmaps/a';
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: data(4500) };

test.each<[string, (world: Awaited<ReturnType<typeof createTestWorld>>) => Promise<unknown>, unknown]>([
  [
    'an update that is too large only for its managers is stored without them',
    async (world) => {
      const { code, body } = await world.send('POST', '/api/v1/namespaces/default/configmaps', configMap);
      return [code, at(body, 'metadata', 'managedFields')];
    },
    [201, undefined],
  ],
  [
    'an apply is not',
    async (world) => {
      const { code, message } = await world.send('PATCH', `${path}?fieldManager=m`, configMap, apply);
      return [code, message];
    },
    [500, 'etcdserver: request is too large'],
  ],
])('%s', async (_fact, write, answer) => {
  expect(await write(await createTestWorld())).toEqual(answer);
});
