import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { planSet } from '../../../../src/controllers/workloads/statefulset/plan.ts';
import { isChanged, setStatus } from '../../../../src/controllers/workloads/statefulset/statefulset.ts';
import { going, now, pending, pod, ready } from '../pods.ts';

const set = (spec: JsonObject = {}): KubernetesObject => ({
  kind: 'StatefulSet',
  apiVersion: 'apps/v1',
  metadata: { name: 'w', namespace: 'default', uid: 'set', generation: 2 },
  spec: { replicas: 2, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }, ...spec },
});

const revisionPair = { current: { template: {}, revision: 'old' }, update: { template: {}, revision: 'new' } };
const revision = 'controller-revision-hash';
const of = (name: string, status: JsonObject = ready, hash = 'new', metadata = {}): KubernetesObject =>
  pod(name, { labels: { [revision]: hash, 'statefulset.kubernetes.io/pod-name': name }, ...metadata }, status);

const steps = (spec: JsonObject, pods: readonly KubernetesObject[]): readonly string[] =>
  planSet(set(spec), pods, revisionPair, now)
    .steps.filter(({ act }) => act === 'create' || act === 'delete')
    .map(({ act, pod: one }) => `${act} ${one.metadata?.name}`);

const parallel = { podManagementPolicy: 'Parallel' };

// Upstream: pkg/controller/statefulset/stateful_set_control_test.go.
test.each<readonly [string, JsonObject, readonly KubernetesObject[], readonly string[]]>([
  ['nothing there: the first one only', {}, [], ['create w-0']],
  ['all at once in parallel', parallel, [], ['create w-0', 'create w-1']],
  ['the second waits for the first to be ready', {}, [of('w-0', pending)], []],
  ['and comes then', {}, [of('w-0')], ['create w-1']],
  ['one being deleted is waited for', {}, [of('w-0', ready, 'new', going)], []],
  ['one that ended is replaced', {}, [of('w-0', { phase: 'Failed' })], ['delete w-0']],
  ['complete: nothing', {}, [of('w-0'), of('w-1')], []],
  ['numbers may begin later', { ordinals: { start: 5 } }, [of('w-5')], ['create w-6']],
  ['too many: the highest goes', {}, [of('w-0'), of('w-1'), of('w-2'), of('w-3')], ['delete w-3']],
  ['one at a time', {}, [of('w-0'), of('w-1'), of('w-2'), of('w-3', ready, 'new', going)], []],
  ['not while a lower one is missing', {}, [of('w-0', pending), of('w-1'), of('w-2')], []],
  ['in parallel all of them', parallel, [of('w-0'), of('w-1'), of('w-2'), of('w-3')], ['delete w-3', 'delete w-2']],
  ['an update takes the highest first', {}, [of('w-0', ready, 'old'), of('w-1', ready, 'old')], ['delete w-1']],
  ['and waits until the new one is ready', parallel, [of('w-0', ready, 'old'), of('w-1', pending)], []],
  ['then the next', {}, [of('w-0', ready, 'old'), of('w-1')], ['delete w-0']],
  [
    'none below the partition',
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } },
    [of('w-0', ready, 'old'), of('w-1')],
    [],
  ],
  ['OnDelete takes none', { updateStrategy: { type: 'OnDelete' } }, [of('w-0', ready, 'old'), of('w-1')], []],
  ['other Pods are left alone', {}, [of('w-0'), of('w-1'), of('w-x')], []],
  ['not ready for long enough is not available', { minReadySeconds: 100_000 }, [of('w-0')], []],
])('%s', (_fact, spec, pods, wanted) => {
  expect(steps(spec, pods)).toEqual(wanted);
});

test('a Pod below the partition is made of the old template', () => {
  const spec = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } }, ...parallel };
  const made = planSet(set(spec), [], revisionPair, now).steps.map(({ pod: one }) => one.metadata?.labels?.[revision]);
  expect(made).toEqual(['old', 'new']);
});

test('a set that is being deleted does nothing', () => {
  expect(planSet({ ...set(), metadata: { name: 'w', ...going } }, [], revisionPair, now).steps).toEqual([]);
});

const seen = { outdated: 0, currentRevision: 'old', updateRevision: 'new', collisionCount: 0, now };

test('an update that is done makes the new revision the current one', () => {
  const status = setStatus(set(), { ...seen, pods: [of('w-0'), of('w-1')] });
  expect(status).toMatchObject({
    currentRevision: 'new',
    currentReplicas: 2,
    updatedReplicas: 2,
    availableReplicas: 2,
  });
});

test('half-way there are both', () => {
  const status = setStatus(set(), { ...seen, outdated: 1, pods: [of('w-0', ready, 'old'), of('w-1', ready, 'old')] });
  expect(status).toMatchObject({ currentRevision: 'old', currentReplicas: 1, replicas: 2 });
  expect(isChanged(set(), status)).toBe(true);
  expect(isChanged({ ...set(), status }, status)).toBe(false);
});
