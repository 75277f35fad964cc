import { expect, test } from 'vitest';
import { storedOnly } from '../../src/controllers/stored-only.ts';
import { createTestWorld } from '../harness/world.ts';

const deployments = { group: 'apps', resource: 'deployments' };
const warning = 'kadmit stores this object and makes no ReplicaSets of it: there is no deployment-controller here';

test.each<readonly [fact: string, running: readonly string[], resource: typeof deployments, text: string | undefined]>([
  ['a workload that nobody works on', ['namespace-controller'], deployments, warning],
  ['one that somebody does', ['deployment-controller'], deployments, undefined],
  ['of a server that only stores', [], deployments, undefined],
  ['what is only to be stored', ['namespace-controller'], { group: '', resource: 'configmaps' }, undefined],
])('%s', (_fact, running, resource, text) => {
  expect(storedOnly(new Set(running))(resource)).toBe(text);
});

test('whoever creates it is warned, whoever is refused or changes it is not', async () => {
  const world = await createTestWorld({ storedOnly: storedOnly(new Set(['namespace-controller'])) });
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const body = { metadata: { name: 'web' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
  expect((await world.send('POST', path, body)).warnings).toEqual([warning]);
  expect((await world.send('POST', path, body)).warnings).toEqual([]);
  expect((await world.send('PATCH', `${path}/web`, { spec: { replicas: 2 } })).warnings).toEqual([]);
});
