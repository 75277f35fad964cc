import { type JsonObject, valueAt } from '../../src/machinery/json/json.ts';
import type { Cluster } from './cluster.ts';
import { definition, definitions, widget, widgets } from '../apiserver/custom-resources/widgets.ts';
import { makeConfigMap, mergePatch, testCases } from './controller-cases.ts';

const quotas = '/api/v1/namespaces/default/resourcequotas';

async function makeQuota({ send, settle }: Cluster, hard: JsonObject, spec: JsonObject = {}): Promise<void> {
  await send('POST', quotas, {
    kind: 'ResourceQuota',
    apiVersion: 'v1',
    metadata: { name: 'q' },
    spec: { hard, ...spec },
  });
  await settle();
}

async function makePod({ send, settle }: Cluster, cpu: string): Promise<void> {
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu } } }];
  await send('POST', '/api/v1/namespaces/default/pods', {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p' },
    spec: { containers },
  });
  await settle();
}

const status = async ({ find }: Cluster): Promise<unknown> => valueAt(await find(`${quotas}/q`), 'status');
const used = async ({ find }: Cluster): Promise<unknown> => valueAt(await find(`${quotas}/q`), 'status', 'used');

// Recorded: controllers-quota-*; pkg/controller/resourcequota/resource_quota_controller_test.go.
testCases([
  [
    'a new quota counts what is there',
    async (cluster) => {
      await makeConfigMap(cluster, 'a');
      await makeQuota(cluster, { configmaps: '5', 'count/deployments.apps': '1', 'requests.cpu': '1' });
      const hard = { configmaps: '5', 'count/deployments.apps': '1', 'requests.cpu': '1' };
      return [await status(cluster), hard];
    },
    [
      {
        hard: { configmaps: '5', 'count/deployments.apps': '1', 'requests.cpu': '1' },
        used: { configmaps: '2', 'count/deployments.apps': '0', 'requests.cpu': '0' },
      },
      { configmaps: '5', 'count/deployments.apps': '1', 'requests.cpu': '1' },
    ],
  ],
  [
    'other limits are counted anew',
    async (cluster) => {
      await makeQuota(cluster, { configmaps: '5' });
      await cluster.send('PATCH', `${quotas}/q`, { spec: { hard: { configmaps: '0', secrets: '3' } } }, mergePatch);
      await cluster.settle();
      return status(cluster);
    },
    { hard: { configmaps: '0', secrets: '3' }, used: { configmaps: '1', secrets: '0' } },
  ],
  [
    'what is gone is used no more',
    async (cluster) => {
      await makeQuota(cluster, { pods: '2', 'requests.cpu': '1' });
      await makePod(cluster, '300m');
      const before = await used(cluster);
      await cluster.send('DELETE', '/api/v1/namespaces/default/pods/p');
      await cluster.settle();
      return [before, await used(cluster)];
    },
    [
      { pods: '1', 'requests.cpu': '300m' },
      { pods: '0', 'requests.cpu': '0' },
    ],
  ],
  [
    'a Pod that has ended uses nothing',
    async (cluster) => {
      await makeQuota(cluster, { pods: '2', 'requests.cpu': '1' });
      await makePod(cluster, '300m');
      const path = '/api/v1/namespaces/default/pods/p/status';
      await cluster.send('PATCH', path, { status: { phase: 'Succeeded' } }, mergePatch);
      await cluster.settle();
      return used(cluster);
    },
    { pods: '0', 'requests.cpu': '0' },
  ],
  [
    'only what is in its scopes counts',
    async (cluster) => {
      await makePod(cluster, '300m');
      await makeQuota(cluster, { pods: '2' }, { scopes: ['BestEffort'] });
      return used(cluster);
    },
    { pods: '0' },
  ],
  // Beside kube-controller-manager v1.36.2: 0 when the definition is gone, and nothing for a resource that was never served.
  [
    'custom resources count, and those that go with their definition count no more',
    async (cluster) => {
      await cluster.send('POST', definitions, definition());
      await cluster.settle();
      await cluster.send('POST', widgets, widget('a'));
      await makeQuota(cluster, { 'count/widgets.example.com': '4', 'count/unserved.example.com': '1' });
      const before = await used(cluster);
      await cluster.send('DELETE', `${definitions}/widgets.example.com`);
      await cluster.settle();
      return [before, await used(cluster)];
    },
    [{ 'count/widgets.example.com': '1' }, { 'count/widgets.example.com': '0' }],
  ],
]);
