import { expect, test } from 'vitest';
import { pendingWarning } from '../../src/controllers/pending-warning.ts';
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
  return pendingWarning(cluster)({ group, resource }, 'default', 'web');
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

test('who lists or watches one object by its name is warned, others are not', async () => {
  const world = await createTestWorld({ pendingWarning: (_resource, _namespace, name) => `about ${name}` });
  const list = (query: string) => world.send('GET', `/api/v1/namespaces/default/pods${query}`);
  expect((await list('?fieldSelector=metadata.name%3Dweb')).warnings).toEqual(['about web']);
  expect((await list('')).warnings).toEqual([]);
  expect((await list('?fieldSelector=metadata.name%21%3Dweb')).warnings).toEqual([]);
});
