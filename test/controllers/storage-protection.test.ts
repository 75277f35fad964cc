import type { Cluster } from './cluster.ts';
import { testCases } from './controller-cases.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
const pods = '/api/v1/namespaces/default/pods';
const volumes = '/api/v1/persistentvolumes';

async function makeClaim({ send }: Cluster): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await send('POST', claims, { kind: 'PersistentVolumeClaim', apiVersion: 'v1', metadata: { name: 'c' }, spec });
}

async function makePod({ send }: Cluster, spec: object): Promise<void> {
  const mounted = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
  const own = { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 0, volumes: mounted };
  await send('POST', pods, { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec: { ...own, ...spec } });
}

async function deleteClaim(cluster: Cluster): Promise<readonly string[]> {
  await cluster.send('DELETE', `${claims}/c`);
  await cluster.settle();
  return cluster.names(claims);
}

// Facts of pkg/controller/volume/pvcprotection and pvprotection.
testCases([
  [
    'an unused claim is removed',
    async (cluster) => {
      await makeClaim(cluster);
      const left = await deleteClaim(cluster);
      return [left, cluster.writes().at(-1)];
    },
    [[], `system:serviceaccount:kube-system:pvc-protection-controller PUT ${claims}/c 200`],
  ],
  [
    'one that a bound Pod uses stays until the Pod is gone',
    async (cluster) => {
      await makeClaim(cluster);
      await makePod(cluster, { nodeName: 'n' });
      const during = await deleteClaim(cluster);
      await cluster.send('DELETE', `${pods}/p`);
      await cluster.settle();
      return [during, await cluster.names(claims)];
    },
    [['c'], []],
  ],
  [
    'a Pod that waits for a node does not count',
    async (cluster) => {
      await makeClaim(cluster);
      await makePod(cluster, {});
      return deleteClaim(cluster);
    },
    [],
  ],
  [
    'the finalizer comes back to a claim that is not deleted',
    async (cluster) => {
      await makeClaim(cluster);
      await cluster.send('PATCH', `${claims}/c`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
      await cluster.settle();
      return (await cluster.find(`${claims}/c`))?.metadata?.finalizers;
    },
    ['kubernetes.io/pvc-protection'],
  ],
  [
    'a volume goes unless it is bound',
    async (cluster) => {
      const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
      for (const name of ['bound', 'free']) {
        await cluster.send('POST', volumes, { kind: 'PersistentVolume', apiVersion: 'v1', metadata: { name }, spec });
      }
      const body = { status: { phase: 'Bound' } };
      await cluster.send('PATCH', `${volumes}/bound/status`, body, 'application/merge-patch+json');
      for (const name of ['bound', 'free']) await cluster.send('DELETE', `${volumes}/${name}`);
      await cluster.settle();
      return cluster.names(volumes);
    },
    ['bound'],
  ],
]);
