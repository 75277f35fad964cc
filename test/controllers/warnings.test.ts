import { expect, test } from 'vitest';
import { noNodeWarningFor, missingControllerWarning } from '../../src/controllers/warnings.ts';
import type { JsonObject } from '../../src/machinery/json/json.ts';
import { createTestWorld } from '../harness/world.ts';

const warning = 'Pods stay Pending here because there is no Node; kadmit serve --nodes 1 simulates one';
const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } };

/** The warning about `web` of a cluster with this object, and these nodes. */
function warningAbout(text: string, object: JsonObject, nodes: readonly (typeof node)[] = []): string | undefined {
  const [resource = '', group = ''] = text.split('.');
  const cluster = {
    get: () => ({ apiVersion: 'v1', kind: 'Any', ...object }),
    list: () => nodes,
  };
  return noNodeWarningFor(cluster)({ group, resource }, 'default', 'web');
}

test.each<readonly [fact: string, resource: string, object: JsonObject, isWarned: boolean]>([
  ['a Pod without a node', 'pods', { spec: {}, status: { phase: 'Pending' } }, true],
  ['one with a node', 'pods', { spec: { nodeName: 'n' }, status: { phase: 'Pending' } }, false],
  ['a Deployment before its Pods are ready', 'deployments.apps', { spec: { replicas: 2 }, status: {} }, true],
  ['one without replicas', 'deployments.apps', { spec: { replicas: 0 }, status: {} }, false],
  ['one with ready Pods', 'deployments.apps', { spec: { replicas: 1 }, status: { readyReplicas: 1 } }, false],
  ['a Job', 'jobs.batch', { spec: {}, status: {} }, true],
  ['a suspended Job', 'jobs.batch', { spec: { suspend: true }, status: {} }, false],
  ['a DaemonSet, which has no Pods without nodes', 'daemonsets.apps', { spec: {}, status: {} }, false],
  ['a ConfigMap', 'configmaps', {}, false],
])('%s', (_fact, resource, object, isWarned) => {
  expect(warningAbout(resource, object)).toBe(isWarned ? warning : undefined);
  expect(warningAbout(resource, object, [node])).toBeUndefined();
});

test('a list of one object by name gets the warning, other lists do not', async () => {
  const world = await createTestWorld({ pendingWarning: (_resource, _namespace, name) => `about ${name}` });
  const list = (query: string) => world.send('GET', `/api/v1/namespaces/default/pods${query}`);
  expect((await list('?fieldSelector=metadata.name%3Dweb')).warnings).toEqual(['about web']);
  expect((await list('')).warnings).toEqual([]);
  expect((await list('?fieldSelector=metadata.name%21%3Dweb')).warnings).toEqual([]);
});

const deployments = { group: 'apps', resource: 'deployments' };
const missingController =
  'kadmit stores this object and makes no ReplicaSets of it: there is no deployment-controller here';

test.each<readonly [fact: string, running: readonly string[], resource: typeof deployments, text: string | undefined]>([
  ['a workload without its controller', ['namespace-controller'], deployments, missingController],
  ['a workload with its controller', ['deployment-controller'], deployments, undefined],
  ['a server without controllers', [], deployments, undefined],
  ['a kind without a controller', ['namespace-controller'], { group: '', resource: 'configmaps' }, undefined],
])('%s', (_fact, running, resource, text) => {
  expect(missingControllerWarning(new Set(running))(resource)).toBe(text);
});

test('a create gets the warning; a refused create and an update do not', async () => {
  const world = await createTestWorld({ storedOnly: missingControllerWarning(new Set(['namespace-controller'])) });
  const path = '/apis/apps/v1/namespaces/default/deployments';
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const body = { metadata: { name: 'web' }, spec: { selector: { matchLabels: { a: 'b' } }, template } };
  expect((await world.send('POST', path, body)).warnings).toEqual([missingController]);
  expect((await world.send('POST', path, body)).warnings).toEqual([]);
  expect((await world.send('PATCH', `${path}/web`, { spec: { replicas: 2 } })).warnings).toEqual([]);
});
