import { asList, asObject, type JsonObject, type JsonValue, valueAt } from '../../../src/machinery/json/json.ts';
import type { Cluster } from '../cluster.ts';
import { mergePatch, testCases } from '../controller-cases.ts';

const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const pods = '/api/v1/namespaces/default/pods';
const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2020-01-01T00:00:00Z' }];

async function makePods({ send, settle }: Cluster, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const metadata = { name, labels: { app: 'x' } };
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await send('POST', pods, { kind: 'Pod', apiVersion: 'v1', metadata, spec });
    await send('PATCH', `${pods}/${name}/status`, { status: { phase: 'Running', conditions } }, mergePatch);
  }
  await settle();
}

async function makeBudget({ send, settle }: Cluster, spec: JsonObject): Promise<void> {
  const all = { selector: { matchLabels: { app: 'x' } }, ...spec };
  const metadata = { name: 'b' };
  await send('POST', budgets, { kind: 'PodDisruptionBudget', apiVersion: 'policy/v1', metadata, spec: all });
  await settle();
}

/** Allowed, healthy now, to be healthy, expected; and the reason. */
async function seen({ find }: Cluster): Promise<readonly (JsonValue | undefined)[]> {
  const status = asObject((await find(`${budgets}/b`))?.['status']);
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'].map((one) => status[one]);
  return [...counts, valueAt(asList(status['conditions'])[0], 'reason')];
}

// Recorded: controllers-pdb-*; pkg/controller/disruption/disruption_test.go.
testCases([
  [
    'of two healthy Pods one is enough',
    async (cluster) => {
      await makePods(cluster, 'a', 'c');
      await makeBudget(cluster, { minAvailable: 1 });
      return seen(cluster);
    },
    [1, 2, 1, 2, 'SufficientPods'],
  ],
  [
    'after an eviction none is to spare',
    async (cluster) => {
      await makePods(cluster, 'a', 'c');
      await makeBudget(cluster, { minAvailable: 1 });
      const metadata = { name: 'a' };
      await cluster.send('POST', `${pods}/a/eviction`, { kind: 'Eviction', apiVersion: 'policy/v1', metadata });
      await cluster.settle();
      return seen(cluster);
    },
    [0, 1, 1, 1, 'InsufficientPods'],
  ],
  [
    'a percentage of Pods without a controller is a percentage of 0',
    async (cluster) => {
      await makePods(cluster, 'a');
      await makeBudget(cluster, { maxUnavailable: '50%' });
      return seen(cluster);
    },
    [0, 1, 0, 0, 'InsufficientPods'],
  ],
]);
