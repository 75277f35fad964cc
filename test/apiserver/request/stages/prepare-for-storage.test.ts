import { expect, test } from 'vitest';
import { loadRelease } from '../../../../src/api/release/load-release.ts';
import { asObject } from '../../../../src/machinery/json/json.ts';
import { createTestWorld } from '../../../harness/world.ts';

const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const gone = { deletionTimestamp: '2020-01-01T00:00:00Z', deletionGracePeriodSeconds: 4 };
const lease = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'l', ...gone },
  spec: {},
};

// Source: recorded conversations r37-create-by-put-wipes and r37-create-by-apply-wipes of v1.36.2 and v1.37.2.
test.each([
  ['1.36', 'PUT', 'application/json', gone],
  ['1.36', 'PATCH', 'application/apply-patch+yaml', gone],
  ['1.37', 'PUT', 'application/json', {}],
  ['1.37', 'PATCH', 'application/apply-patch+yaml', {}],
])('%s: read-only metadata of a %s that creates', async (name, method, contentType, kept) => {
  const world = await createTestWorld({ release: await loadRelease(name) });
  const created = await world.send(method, `${leases}/l?fieldManager=m`, lease, { contentType });
  const { deletionTimestamp, deletionGracePeriodSeconds } = asObject(created.body['metadata']);
  expect([created.code, { deletionTimestamp, deletionGracePeriodSeconds }]).toEqual([
    201,
    { deletionTimestamp: undefined, deletionGracePeriodSeconds: undefined, ...kept },
  ]);
});

// Source: the same conversations: preconditions come first.
test('a uid is still a precondition of a PUT that would create', async () => {
  const world = await createTestWorld({ release: await loadRelease('1.37') });
  const named = { ...lease, metadata: { name: 'm', uid: 'abc' } };
  expect((await world.send('PUT', `${leases}/m`, named)).code).toBe(409);
});
