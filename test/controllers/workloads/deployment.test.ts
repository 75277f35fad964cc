import { asList, asObject, type JsonObject, valueAt } from '../../../src/machinery/json/json.ts';
import type { Cluster } from '../cluster.ts';
import { mergePatch, testCases } from '../controller-cases.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const replicaSets = '/apis/apps/v1/namespaces/default/replicasets';
const pods = '/api/v1/namespaces/default/pods';
const template = (image: string): JsonObject => ({
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image }] },
});
const rolling = (maxSurge: number | string, maxUnavailable: number | string): JsonObject => ({
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } },
});

async function deploy({ send, settle }: Cluster, spec: JsonObject = {}): Promise<void> {
  const all = { replicas: 3, selector: { matchLabels: { app: 'x' } }, template: template('one'), ...spec };
  const metadata = { name: 'w', annotations: { team: 'a' } };
  await send('POST', deployments, { kind: 'Deployment', apiVersion: 'apps/v1', metadata, spec: all });
  await settle();
}

async function patch({ send, settle }: Cluster, spec: JsonObject): Promise<void> {
  await send('PATCH', `${deployments}/w`, { spec }, mergePatch);
  await settle();
}

const items = async ({ find }: Cluster, path: string): Promise<readonly JsonObject[]> =>
  asList((await find(path))?.['items']).map(asObject);

async function becomeReady(cluster: Cluster): Promise<void> {
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }];
  for (const name of await cluster.names(pods)) {
    // A rollout may take one away meanwhile.
    if (!(await cluster.find(`${pods}/${name}`))) continue;
    await cluster.send('PATCH', `${pods}/${name}/status`, { status: { phase: 'Running', conditions } }, mergePatch);
  }
  await cluster.settle();
}

/** The revision, the size and the available Pods of every ReplicaSet. */
async function sizes(cluster: Cluster): Promise<readonly unknown[]> {
  const revision = 'deployment.kubernetes.io/revision';
  const seen = (await items(cluster, replicaSets)).map((one) => [
    valueAt(one, 'metadata', 'annotations', revision),
    valueAt(one, 'spec', 'replicas'),
    valueAt(one, 'status', 'availableReplicas') ?? 0,
  ]);
  return seen.sort((a, b) => Number(a[0]) - Number(b[0]));
}

const status = async ({ find }: Cluster, ...path: readonly string[]): Promise<unknown> =>
  valueAt(await find(`${deployments}/w`), 'status', ...path);

async function reasons(cluster: Cluster): Promise<readonly unknown[]> {
  const conditions = asList(valueAt(await cluster.find(`${deployments}/w`), 'status', 'conditions')).map(asObject);
  return conditions.map(({ type, status: value, reason }) => [type, value, reason]);
}

const said = async (cluster: Cluster, reason: string): Promise<readonly unknown[]> =>
  (await items(cluster, '/api/v1/namespaces/default/events'))
    .filter((e) => e['reason'] === reason)
    .map((e) => e['message']);

// Recorded: controllers-deployment-*; pkg/controller/deployment.
testCases([
  [
    'its ReplicaSet has the hash of the template in name, labels and selector, and the annotations',
    async (cluster) => {
      await deploy(cluster);
      const [one] = await items(cluster, replicaSets);
      const { name, labels, annotations } = asObject(one?.['metadata']);
      return [name, labels, annotations, valueAt(one, 'spec', 'selector'), (await cluster.names(pods)).length];
    },
    [
      'w-844ccd8f5f',
      { app: 'x', 'pod-template-hash': '844ccd8f5f' },
      {
        'deployment.kubernetes.io/desired-replicas': '3',
        'deployment.kubernetes.io/max-replicas': '4',
        'deployment.kubernetes.io/revision': '1',
        team: 'a',
      },
      { matchLabels: { app: 'x', 'pod-template-hash': '844ccd8f5f' } },
      3,
    ],
  ],
  [
    'its status counts and says how it gets on',
    async (cluster) => {
      await deploy(cluster);
      const before = await reasons(cluster);
      await becomeReady(cluster);
      return [before, await reasons(cluster), await status(cluster, 'availableReplicas')];
    },
    [
      [
        ['Available', 'False', 'MinimumReplicasUnavailable'],
        ['Progressing', 'True', 'ReplicaSetUpdated'],
      ],
      [
        ['Available', 'True', 'MinimumReplicasAvailable'],
        ['Progressing', 'True', 'NewReplicaSetAvailable'],
      ],
      3,
    ],
  ],
  [
    'with one Pod to spare it rolls one by one',
    async (cluster) => {
      await deploy(cluster, rolling(1, 0));
      await becomeReady(cluster);
      await patch(cluster, { template: template('two') });
      const seen = [await sizes(cluster)];
      for (let again = 0; again < 3; again += 1) {
        await becomeReady(cluster);
        seen.push(await sizes(cluster));
      }
      return seen;
    },
    [
      [
        ['1', 3, 3],
        ['2', 1, 0],
      ],
      [
        ['1', 2, 2],
        ['2', 2, 1],
      ],
      [
        ['1', 1, 1],
        ['2', 3, 2],
      ],
      [
        ['1', 0, 0],
        ['2', 3, 3],
      ],
    ],
  ],
  [
    'what may be missing goes at once',
    async (cluster) => {
      await deploy(cluster, rolling(0, 2));
      await becomeReady(cluster);
      await patch(cluster, { template: template('two') });
      return sizes(cluster);
    },
    [
      ['1', 1, 1],
      ['2', 2, 0],
    ],
  ],
  [
    'one that recreates waits for the old Pods to go',
    async (cluster) => {
      await deploy(cluster, { strategy: { type: 'Recreate' } });
      await patch(cluster, { template: template('two') });
      return sizes(cluster);
    },
    [
      ['1', 0, 0],
      ['2', 3, 0],
    ],
  ],
  [
    'a paused one makes nothing, and says that it is paused',
    async (cluster) => {
      await deploy(cluster, { paused: true });
      const paused = [await reasons(cluster), await sizes(cluster)];
      await patch(cluster, { paused: false });
      return [...paused, await sizes(cluster)];
    },
    [
      [
        ['Progressing', 'Unknown', 'DeploymentPaused'],
        ['Available', 'False', 'MinimumReplicasUnavailable'],
      ],
      [],
      [['1', 3, 0]],
    ],
  ],
  [
    'scaled during a rollout, all grow in proportion',
    async (cluster) => {
      await deploy(cluster, { replicas: 10, ...rolling(3, 2) });
      await becomeReady(cluster);
      await patch(cluster, { template: template('two') });
      const before = await sizes(cluster);
      await patch(cluster, { replicas: 15 });
      return [before, await sizes(cluster)];
    },
    [
      [
        ['1', 8, 8],
        ['2', 5, 0],
      ],
      [
        ['1', 11, 8],
        ['2', 7, 0],
      ],
    ],
  ],
  [
    'back at an earlier template its ReplicaSet has the next revision and remembers the first',
    async (cluster) => {
      await deploy(cluster);
      await patch(cluster, { template: template('two') });
      await patch(cluster, { template: template('one') });
      const [one] = (await items(cluster, replicaSets)).filter(
        (each) => valueAt(each, 'metadata', 'name') === 'w-844ccd8f5f',
      );
      const annotations = asObject(valueAt(one, 'metadata', 'annotations'));
      const prefix = 'deployment.kubernetes.io/';
      return [annotations[`${prefix}revision`], annotations[`${prefix}revision-history`]];
    },
    ['3', '1'],
  ],
  [
    'without progress until its deadline it has timed out',
    async (cluster) => {
      await deploy(cluster, { progressDeadlineSeconds: 5 });
      await cluster.pass(7000);
      return (await reasons(cluster))[1];
    },
    ['Progressing', 'False', 'ProgressDeadlineExceeded'],
  ],
  [
    'old ReplicaSets go beyond the limit of the history',
    async (cluster) => {
      await deploy(cluster, { revisionHistoryLimit: 1, ...rolling('100%', 0) });
      for (const image of ['two', 'three', 'four']) {
        await becomeReady(cluster);
        await patch(cluster, { template: template(image) });
      }
      await becomeReady(cluster);
      return sizes(cluster);
    },
    [
      ['3', 0, 0],
      ['4', 3, 3],
    ],
  ],
  [
    'what keeps its Pods away is among its conditions',
    async (cluster) => {
      const body = { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } };
      await cluster.send('PATCH', '/api/v1/namespaces/default', body, mergePatch);
      await deploy(cluster);
      return (await reasons(cluster)).at(-1);
    },
    ['ReplicaFailure', 'True', 'FailedCreate'],
  ],
  [
    'it shows its scaling in Events',
    async (cluster) => {
      await deploy(cluster);
      const events = await items(cluster, '/api/v1/namespaces/default/events');
      return events
        .filter(({ source }) => asObject(source)['component'] === 'deployment-controller')
        .map((e) => e['message']);
    },
    ['Scaled up replica set w-844ccd8f5f from 0 to 3'],
  ],
  [
    'the annotation that stands for rollbackTo takes back the template of a revision and goes',
    async (cluster) => {
      await deploy(cluster, { replicas: 0 });
      await patch(cluster, { template: template('two') });
      const annotations = { 'deprecated.deployment.rollback.to': '1' };
      await cluster.send('PATCH', `${deployments}/w`, { metadata: { annotations } }, mergePatch);
      await cluster.settle();
      const deployment = await cluster.find(`${deployments}/w`);
      return [
        valueAt(deployment, 'metadata', 'annotations'),
        valueAt(deployment, 'metadata', 'generation'),
        asObject(asList(valueAt(deployment, 'spec', 'template', 'spec', 'containers'))[0])['image'],
        await said(cluster, 'DeploymentRollback'),
      ];
    },
    [{ 'deployment.kubernetes.io/revision': '3', team: 'a' }, 4, 'one', ['Rolled back deployment "w" to revision 1']],
  ],
  [
    'a missing revision is reported once',
    async (cluster) => {
      await deploy(cluster, { replicas: 0 });
      const annotations = { 'deprecated.deployment.rollback.to': '7' };
      await cluster.send('PATCH', `${deployments}/w`, { metadata: { annotations } }, mergePatch);
      await cluster.settle();
      return [await said(cluster, 'DeploymentRollbackRevisionNotFound'), await said(cluster, 'DeploymentRollback')];
    },
    [['Unable to find the revision to rollback to.'], []],
  ],
]);
