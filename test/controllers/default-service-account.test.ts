import { makeNamespace, tell } from './stories.ts';

const accounts = '/api/v1/namespaces/team/serviceaccounts';

// Upstream: pkg/controller/serviceaccount/serviceaccounts_controller_test.go.
tell([
  [
    'the namespaces of a fresh server have a default account',
    async ({ names }) => [
      await names('/api/v1/namespaces/default/serviceaccounts'),
      await names('/api/v1/namespaces/kube-system/serviceaccounts'),
    ],
    [['default'], ['default']],
  ],
  [
    'a new namespace gets one',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      return cluster.names(accounts);
    },
    ['default'],
  ],
  [
    'a deleted one comes back',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      const before = await cluster.find(`${accounts}/default`);
      await cluster.send('DELETE', `${accounts}/default`);
      await cluster.settle();
      const after = await cluster.find(`${accounts}/default`);
      return after !== undefined && after.metadata?.uid !== before?.metadata?.uid;
    },
    true,
  ],
  [
    'another account may go',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('POST', accounts, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'robot' } });
      await cluster.send('DELETE', `${accounts}/robot`);
      await cluster.settle();
      return cluster.names(accounts);
    },
    ['default'],
  ],
  [
    'it is made by the ServiceAccount of that controller',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      return cluster.writes().filter((line) => line.includes(`POST ${accounts}`));
    },
    [`system:serviceaccount:kube-system:service-account-controller POST ${accounts} 201`],
  ],
]);
