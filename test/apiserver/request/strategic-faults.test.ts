import { expect, test } from 'vitest';
import { createTestWorld } from '../../harness/world.ts';

// Source: apiserver pkg/endpoints/handlers/patch.go interpretStrategicMergePatchError, apimachinery pkg/util/strategicpatch/patch.go.
const facts: readonly [fact: string, spec: object, code: number, message: string][] = [
  ['$retainKeys that is no list', { $retainKeys: 'a' }, 400, 'invalid patch format of retainKeys'],
  [
    '$retainKeys without a key of the patch',
    { $retainKeys: [], nodeName: 'n' },
    400,
    'invalid patch format of retainKeys',
  ],
  ['an order of nothing', { $setElementOrder: [] }, 400, 'invalid patch format of setElementOrder list'],
  ['a deletion from nothing', { $deleteFromPrimitiveList: ['a'] }, 400, 'invalid patch format of primitive list'],
  [
    'an order of texts',
    { '$setElementOrder/containers': ['r'] },
    500,
    'expected a map[string]interface {}, but received a string',
  ],
  [
    'no merge key',
    { containers: [{ image: 'i' }] },
    500,
    'map: map[image:i] does not contain declared merge key: name',
  ],
  [
    'lists in a list that is merged',
    { '$setElementOrder/volumes': [], volumes: [['v']] },
    422,
    'the server rejected our request due to an error in our request',
  ],
];

const path = '/apis/apps/v1/namespaces/default/deployments';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = {
  metadata: { name: 'd' },
  spec: { selector: { matchLabels: { a: 'b' } }, template },
};

test.each(facts)('%s', async (_fact, spec, code, message) => {
  const world = await createTestWorld();
  expect((await world.send('POST', path, deployment)).code).toBe(201);
  const patch = { spec: { template: { spec } } };
  const answer = await world.send('PATCH', `${path}/d`, patch, {
    contentType: 'application/strategic-merge-patch+json',
  });
  expect([answer.code, answer.message]).toEqual([code, message]);
});
