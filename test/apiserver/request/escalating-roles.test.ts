import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

const group = 'rbac.authorization.k8s.io';
const api = `/apis/${group}/v1`;
const as = { username: 'eve', uid: '', groups: ['system:authenticated'], extra: {} };

/** A world in which eve may write roles of both kinds, and hold what she does not have in those of one. */
async function worldWhereEveEscalates(resource: string) {
  const world = await createTestWorld();
  const rules = [
    { verbs: ['create'], apiGroups: [group], resources: ['roles', 'clusterroles'] },
    { verbs: ['escalate'], apiGroups: [group], resources: [resource] },
  ];
  await world.send('POST', `${api}/clusterroles`, { metadata: { name: 'eve' }, rules });
  await world.send('POST', `${api}/clusterrolebindings`, {
    metadata: { name: 'eve' },
    subjects: [{ kind: 'User', name: 'eve', apiGroup: group }],
    roleRef: { kind: 'ClusterRole', name: 'eve', apiGroup: group },
  });
  return world;
}

// Source: kubernetes pkg/registry/rbac/{role,clusterrole}/policybased/storage.go: each asks for its own resource.
test.each([
  ['roles', 'roles', 201],
  ['roles', 'clusterroles', 403],
  ['clusterroles', 'clusterroles', 201],
  ['clusterroles', 'roles', 403],
])('who may escalate %s writes more than they have into %s: %i', async (escalated, written, code) => {
  const world = await worldWhereEveEscalates(escalated);
  const place = written === 'roles' ? '/namespaces/default' : '';
  const role = { metadata: { name: 'r' }, rules: [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }] };
  expect((await world.send('POST', `${api}${place}/${written}`, role, { as })).code).toBe(code);
});
