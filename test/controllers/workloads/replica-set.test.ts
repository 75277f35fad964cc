import { asObject, type JsonObject, valueAt } from '../../../src/machinery/json/json.ts';
import type { Cluster } from '../cluster.ts';
import { mergePatch, testCases } from '../controller-cases.ts';

const replicaSets = '/apis/apps/v1/namespaces/default/replicasets';
const pods = '/api/v1/namespaces/default/pods';
const events = '/api/v1/namespaces/default/events';

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

async function makeReplicaSet({ send, settle }: Cluster, spec: JsonObject = {}): Promise<void> {
  const all = { replicas: 2, selector: { matchLabels: { app: 'x' } }, template, ...spec };
  await send('POST', replicaSets, { kind: 'ReplicaSet', apiVersion: 'apps/v1', metadata: { name: 'w' }, spec: all });
  await settle();
}

const makePod = async ({ send }: Cluster, name: string, labels: JsonObject = { app: 'x' }): Promise<unknown> =>
  send('POST', pods, { kind: 'Pod', apiVersion: 'v1', metadata: { name, labels }, spec: template.spec });

const status = async ({ find }: Cluster): Promise<unknown> => valueAt(await find(`${replicaSets}/w`), 'status');

async function scale({ send, settle }: Cluster, replicas: number): Promise<void> {
  await send('PATCH', `${replicaSets}/w`, { spec: { replicas } }, mergePatch);
  await settle();
}

async function becomeReady({ send, settle }: Cluster, name: string): Promise<void> {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }];
  await send('PATCH', `${pods}/${name}/status`, { status: { phase: 'Running', conditions } }, mergePatch);
  await settle();
}

// Recorded: controllers-replicaset-*, controllers-pods-denied-*; pkg/controller/replicaset/replica_set_test.go.
testCases([
  [
    'it makes its Pods, as its service account, with a generated name and itself as owner',
    async (cluster) => {
      await makeReplicaSet(cluster);
      const [name = ''] = await cluster.names(pods);
      const { metadata } = (await cluster.find(`${pods}/${name}`)) ?? {};
      const owner = asObject(metadata?.ownerReferences?.[0]);
      return {
        generateName: metadata?.generateName,
        owner: [owner['kind'], owner['name'], owner['controller'], owner['blockOwnerDeletion']],
        made: cluster
          .writes()
          .filter((line) => line.includes('replicaset-controller POST /api/v1/namespaces/default/pods')),
        status: await status(cluster),
      };
    },
    {
      generateName: 'w-',
      owner: ['ReplicaSet', 'w', true, true],
      made: Array.from({ length: 2 }, () => `system:serviceaccount:kube-system:replicaset-controller POST ${pods} 201`),
      status: { replicas: 2, fullyLabeledReplicas: 2, terminatingReplicas: 0, observedGeneration: 1 },
    },
  ],
  [
    'what admission says is in the condition and the Event',
    async (cluster) => {
      const body = { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } };
      await cluster.send('PATCH', '/api/v1/namespaces/default', body, mergePatch);
      await makeReplicaSet(cluster, { template: { ...template, spec: { ...template.spec, hostNetwork: true } } });
      const [event = ''] = await cluster.names(events);
      const { reason, message } = (await cluster.find(`${events}/${event}`)) ?? { kind: '', apiVersion: '' };
      const said = valueAt(await status(cluster).then((value) => ({ value }) as JsonObject), 'value', 'conditions');
      return [reason, hide(message), hide(JSON.stringify(said)).includes('"reason":"FailedCreate"')];
    },
    [
      'FailedCreate',
      'Error creating: pods "w-<suffix>" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      true,
    ],
  ],
  [
    'it tries again until admission has no objection, and takes the condition away',
    async (cluster) => {
      const label = 'pod-security.kubernetes.io/enforce';
      const set = async (value: string | null): Promise<unknown> =>
        cluster.send('PATCH', '/api/v1/namespaces/default', { metadata: { labels: { [label]: value } } }, mergePatch);
      await set('baseline');
      await makeReplicaSet(cluster, { template: { ...template, spec: { ...template.spec, hostNetwork: true } } });
      await set(null);
      for (let again = 0; again < 8; again += 1) await cluster.pass(2000);
      return [(await cluster.names(pods)).length, await status(cluster)];
    },
    [2, { replicas: 2, fullyLabeledReplicas: 2, terminatingReplicas: 0, observedGeneration: 1 }],
  ],
  [
    'it adopts what it selects and gives up the not ready ones first, then the cheap ones',
    async (cluster) => {
      for (const name of ['ready', 'cheap', 'pending']) await makePod(cluster, name);
      await cluster.send(
        'PATCH',
        `${pods}/cheap`,
        { metadata: { annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-5' } } },
        mergePatch,
      );
      await becomeReady(cluster, 'ready');
      await becomeReady(cluster, 'cheap');
      await makeReplicaSet(cluster, { replicas: 3 });
      const adopted = await cluster.names(pods);
      await scale(cluster, 2);
      const two = await cluster.names(pods);
      await scale(cluster, 1);
      return [adopted, two, await cluster.names(pods)];
    },
    [['cheap', 'pending', 'ready'], ['cheap', 'ready'], ['ready']],
  ],
  [
    'it lets a Pod go that it does not select any more, and makes another',
    async (cluster) => {
      await makeReplicaSet(cluster, { replicas: 1 });
      const [name = ''] = await cluster.names(pods);
      await cluster.send('PATCH', `${pods}/${name}`, { metadata: { labels: { app: 'other' } } }, mergePatch);
      await cluster.settle();
      return [(await cluster.names(pods)).length, (await cluster.find(`${pods}/${name}`))?.metadata?.ownerReferences];
    },
    [2, undefined],
  ],
  [
    'a Pod counts as available when it has been ready for long enough',
    async (cluster) => {
      await makeReplicaSet(cluster, { replicas: 1, minReadySeconds: 5 });
      const [name = ''] = await cluster.names(pods);
      await becomeReady(cluster, name);
      return valueAt({ status: (await status(cluster)) as JsonObject }, 'status', 'availableReplicas');
    },
    1,
  ],
]);

const hide = (text: unknown): string => String(text).replace(/w-[a-z0-9]{5}(?=\\?")/g, 'w-<suffix>');
