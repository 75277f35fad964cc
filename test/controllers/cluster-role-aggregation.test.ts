import { asList, asObject, isJsonObject, type JsonObject } from '../../src/machinery/json/json.ts';
import type { Cluster } from './cluster.ts';
import { mergePatch, testCases } from './controller-cases.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const head = { kind: 'ClusterRole', apiVersion: 'rbac.authorization.k8s.io/v1' };
const rule = { verbs: ['get'], apiGroups: ['shop.example.com'], resources: ['orders'] };

const makeRole = async (cluster: Cluster, label: string, more: JsonObject = {}): Promise<void> => {
  const labels = { [`rbac.authorization.k8s.io/aggregate-to-${label}`]: 'true' };
  await cluster.send('POST', roles, { ...head, metadata: { name: 'orders', labels }, rules: [rule], ...more });
  await cluster.settle();
};

const holders = async ({ find }: Cluster): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const name of ['admin', 'edit', 'view']) {
    const rules = asList((await find(`${roles}/${name}`))?.['rules']).filter(isJsonObject);
    if (rules.some(({ resources }) => asList(resources).includes('orders'))) found.push(name);
  }
  return found;
};

// Upstream: pkg/controller/clusterroleaggregation/clusterroleaggregation_controller_test.go.
testCases([
  [
    'the bootstrap roles are right as they are',
    async ({ writes }) => writes().filter((line) => line.includes('PUT')),
    [],
  ],
  [
    'a role labelled for view is added to view and to the roles that aggregate it',
    async (cluster) => {
      await makeRole(cluster, 'view');
      return holders(cluster);
    },
    ['admin', 'edit', 'view'],
  ],
  [
    'one labelled for admin only to admin',
    async (cluster) => {
      await makeRole(cluster, 'admin');
      return holders(cluster);
    },
    ['admin'],
  ],
  [
    'when it goes, its rules go',
    async (cluster) => {
      await makeRole(cluster, 'view');
      await cluster.send('DELETE', `${roles}/orders`);
      await cluster.settle();
      return holders(cluster);
    },
    [],
  ],
  [
    'when its label changes, its rules move',
    async (cluster) => {
      await makeRole(cluster, 'view');
      const labels = {
        'rbac.authorization.k8s.io/aggregate-to-view': null,
        'rbac.authorization.k8s.io/aggregate-to-edit': 'true',
      };
      await cluster.send('PATCH', `${roles}/orders`, { metadata: { labels } }, mergePatch);
      await cluster.settle();
      return holders(cluster);
    },
    ['admin', 'edit'],
  ],
  [
    'rules written by hand into an aggregating role do not last',
    async (cluster) => {
      await cluster.send('PATCH', `${roles}/view`, { rules: [rule] }, mergePatch);
      await cluster.settle();
      return holders(cluster);
    },
    [],
  ],
  [
    'a role of one’s own may aggregate too',
    async (cluster) => {
      await makeRole(cluster, 'shop');
      const clusterRoleSelectors = [{ matchLabels: { 'rbac.authorization.k8s.io/aggregate-to-shop': 'true' } }];
      const role = { ...head, metadata: { name: 'shop' }, aggregationRule: { clusterRoleSelectors }, rules: [] };
      await cluster.send('POST', roles, role);
      await cluster.settle();
      return asObject(await cluster.find(`${roles}/shop`))['rules'];
    },
    [rule],
  ],
]);
