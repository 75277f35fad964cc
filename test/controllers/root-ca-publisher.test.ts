import { makeNamespace, mergePatch, tell } from './stories.ts';
import type { Cluster } from './cluster.ts';

const path = '/api/v1/namespaces/team/configmaps/kube-root-ca.crt';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

async function seen({ find, settle }: Cluster): Promise<unknown> {
  await settle();
  const map = await find(path);
  return { data: map?.['data'], annotations: map?.metadata?.annotations };
}

const published = { data: { 'ca.crt': 'the CA' }, annotations: { 'kubernetes.io/description': description } };

// Upstream: pkg/controller/certificates/rootcacertpublisher/publisher_test.go.
tell([
  [
    'a new namespace gets the certificate',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      return seen(cluster);
    },
    published,
  ],
  [
    'a changed one is restored',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('PATCH', path, { data: { 'ca.crt': 'mine', more: 'x' } }, mergePatch);
      return seen(cluster);
    },
    published,
  ],
  [
    'a deleted one comes back',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('DELETE', path);
      return seen(cluster);
    },
    published,
  ],
  [
    'other annotations stay, even a description of somebody else',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      const annotations = { 'kubernetes.io/description': 'ours', team: 'a' };
      await cluster.send('PATCH', path, { metadata: { annotations } }, mergePatch);
      return seen(cluster);
    },
    { data: published.data, annotations: { 'kubernetes.io/description': 'ours', team: 'a' } },
  ],
  [
    'a description that is gone comes back',
    async (cluster) => {
      await makeNamespace(cluster, 'team');
      await cluster.send('PATCH', path, { metadata: { annotations: null } }, mergePatch);
      return seen(cluster);
    },
    published,
  ],
]);
