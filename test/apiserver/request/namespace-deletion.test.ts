import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { at } from '../../harness/world-answer.ts';
import { createTestWorld, type TestWorld } from '../../harness/world.ts';
import { register } from '../../harness/configurations.ts';

const path = '/api/v1/namespaces/a';

async function worldWithNamespace(
  metadata: JsonObject = {},
  finalizers: readonly string[] = ['kubernetes'],
): Promise<TestWorld> {
  const world = await createTestWorld();
  await world.send('POST', '/api/v1/namespaces', { metadata: { name: 'a', ...metadata } });
  if (finalizers.length === 0) await finalize(world, metadata);
  const webhook = {
    name: 'v.example.com',
    rules: [{ operations: ['DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['namespaces'] }],
  };
  await register(world, 'validating', webhook);
  return world;
}

const finalize = (world: TestWorld, metadata: JsonObject = {}) =>
  world.send('PUT', `${path}/finalize`, { metadata: { name: 'a', ...metadata }, spec: { finalizers: [] } });

// Source: kubernetes pkg/registry/core/namespace/storage/storage.go Delete; rules PATH-45 and PATH-26.
test('a namespace is marked once, waits for its finalizers and goes with the last of them', async () => {
  const world = await worldWithNamespace();
  const first = await world.send('DELETE', path);
  expect(first).toMatchObject({ code: 200, body: { kind: 'Namespace', status: { phase: 'Terminating' } } });
  expect(world.calls.map(({ request }) => at(request, 'options', 'preconditions', 'uid'))).toEqual([
    at(first.body, 'metadata', 'uid'),
  ]);
  expect(await world.send('DELETE', path)).toMatchObject({ code: 200, body: first.body });
  expect(world.calls).toHaveLength(1);
  expect(await finalize(world)).toMatchObject({ code: 200 });
  expect(await world.send('GET', path)).toMatchObject({ code: 404 });
});

test('without finalizers of its own it goes with the second DELETE', async () => {
  const world = await worldWithNamespace({}, []);
  expect(await world.send('DELETE', path)).toMatchObject({ body: { status: { phase: 'Terminating' } } });
  expect(await world.send('GET', path)).toMatchObject({ code: 200 });
  await world.send('DELETE', path);
  expect(await world.send('GET', path)).toMatchObject({ code: 404 });
  expect(world.calls).toHaveLength(2);
});

test('finalizers of its metadata hold it as they hold every object', async () => {
  const world = await worldWithNamespace({ finalizers: ['x/y'] }, []);
  await world.send('DELETE', path);
  const second = await world.send('DELETE', path);
  expect(second).toMatchObject({
    code: 200,
    body: { metadata: { finalizers: ['x/y'], deletionGracePeriodSeconds: 0 } },
  });
  expect(await world.send('GET', path)).toMatchObject({ code: 200 });
});

const precondition = (text: string): string =>
  `409 Operation cannot be fulfilled on namespaces "a": Precondition failed: ${text}`;

test.each<readonly [field: string, answer: string]>([
  ['uid', precondition('UID in precondition: 7, UID in object meta: UID')],
  ['resourceVersion', precondition('ResourceVersion in precondition: 7, ResourceVersion in object meta: VERSION')],
])('another %s is refused', async (field, answer) => {
  const world = await worldWithNamespace();
  const { metadata } = (await world.send('GET', path)).body;
  const { code, message } = await world.send('DELETE', path, { preconditions: { [field]: '7' } });
  const shown = message
    .replace(String(at(metadata, 'uid')), 'UID')
    .replace(String(at(metadata, 'resourceVersion')), 'VERSION');
  expect(`${code} ${shown}`).toBe(answer);
  expect(world.calls).toEqual([]);
});

test.each<readonly [options: JsonObject, finalizers: readonly string[] | undefined]>([
  [{}, undefined],
  [{ propagationPolicy: 'Background' }, undefined],
  [{ propagationPolicy: 'Orphan' }, ['orphan']],
  [{ propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
  [{ orphanDependents: true }, ['orphan']],
  [{ orphanDependents: false }, ['foregroundDeletion']],
])('%o leaves the finalizers %o', async (options, finalizers) => {
  const world = await worldWithNamespace();
  const { body } = await world.send('DELETE', path, options);
  expect(at(body, 'metadata', 'finalizers')).toEqual(finalizers);
});

test('a dry run marks nothing', async () => {
  const world = await worldWithNamespace();
  expect(await world.send('DELETE', `${path}?dryRun=All`)).toMatchObject({
    body: { status: { phase: 'Terminating' } },
  });
  expect(await world.send('GET', path)).toMatchObject({ body: { status: { phase: 'Active' } } });
});
