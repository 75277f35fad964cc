import { expect, test } from 'vitest';
import { advertisedAddress, kubernetesEndpoints, renewSeed } from '../../src/controllers/seed-objects.ts';
import { createTestWorld } from '../harness/world.ts';

const own = [
  { address: '127.0.0.1', internal: true },
  { address: 'fe80::1', internal: false },
  { address: '169.254.1.1', internal: false },
  { address: '192.0.2.7', internal: false },
];

// Source: apimachinery pkg/util/net/interface.go ResolveBindAddress; loopbacks may not be in Endpoints.
test.each([
  ['192.0.2.9', '192.0.2.9'],
  ['127.0.0.1', '192.0.2.7'],
  ['0.0.0.0', '192.0.2.7'],
  ['::', '192.0.2.7'],
  ['2001:db8::1', undefined],
])('who listens on %s says that it is at %s', (bound, address) => {
  expect(advertisedAddress(bound, own)).toBe(address);
});

test('a machine without an external address has none', () => {
  expect(advertisedAddress('127.0.0.1', own.slice(0, 3))).toBeUndefined();
});

const paths = ['/api/v1/namespaces/default/endpoints', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'];

// Source: kubernetes pkg/controlplane/reconcilers/endpointsadapter.go
test.each(paths.map((path, at) => [path, at] as const))(
  '%s: stored as it would be if it were created',
  async (path, at) => {
    const world = await createTestWorld();
    const object = kubernetesEndpoints('192.0.2.7', 6443)[at]?.object;
    const { metadata, ...content } = object ?? {};
    const { code, body } = await world.send('POST', path, object);
    expect(code).toBe(201);
    expect(body).toMatchObject({ ...content, metadata });
    expect(Object.keys(Object(body)).filter((field) => field !== 'metadata')).toEqual(Object.keys(content));
  },
);

test('who starts on another port says so, and leaves what is right alone', async () => {
  const [seed] = kubernetesEndpoints('192.0.2.7', 6443);
  const [moved] = kubernetesEndpoints('192.0.2.7', 7443);
  if (!seed || !moved) throw new Error('no seeds');
  const writes: unknown[] = [];
  const object = { ...seed.object, metadata: { name: 'kubernetes', uid: 'u' } };
  const storage: Parameters<typeof renewSeed>[0] = {
    create: async () => ({ outcome: 'exists', stored: { object, revision: 3 } }),
    read: async () => ({ object, revision: 3 }),
    update: async (_key, next, revision) => {
      writes.push([next, revision]);
      return { outcome: 'stored', stored: { object: next, revision: 4 } };
    },
  };
  const ports = { newUid: () => 'n', now: 0 };
  await renewSeed(storage, seed, ports);
  expect(writes).toEqual([]);
  await renewSeed(storage, moved, ports);
  expect(writes).toEqual([[{ ...object, subsets: moved.object['subsets'] }, 3]]);
});
