import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject, ObjectMeta } from '../../../../src/machinery/meta/object.ts';
import { newDaemonPod } from '../../../../src/controllers/workloads/daemonset/daemon-pod.ts';
import { daemonStatus } from '../../../../src/controllers/workloads/daemonset/daemonset.ts';
import { groupByNode, planDaemons, type DaemonSetState } from '../../../../src/controllers/workloads/daemonset/plan.ts';
import { planUpdate } from '../../../../src/controllers/workloads/daemonset/rolling-update.ts';
import { going, now, pending, pod, ready } from '../pods.ts';

const set = (
  podSpec: JsonObject = {},
  rollingUpdate: JsonObject = { maxUnavailable: 1, maxSurge: 0 },
): KubernetesObject => ({
  kind: 'DaemonSet',
  apiVersion: 'apps/v1',
  metadata: { name: 'd', uid: 'set' },
  spec: { template: { spec: podSpec }, updateStrategy: { type: 'RollingUpdate', rollingUpdate } },
});
const node = (name: string, spec: JsonObject = {}): KubernetesObject => ({
  kind: 'Node',
  apiVersion: 'v1',
  metadata: { name, labels: { pool: name } },
  spec,
});
type Placed = readonly [name: string, node: string, hash?: string, status?: JsonObject, metadata?: ObjectMeta];
const on = (...[name, nodeName, hash = 'new', status = ready, metadata = {}]: Placed): KubernetesObject => ({
  ...pod(name, { labels: { 'controller-revision-hash': hash }, ...metadata }, status),
  spec: { nodeName },
});
const state = (pods: readonly KubernetesObject[], more: Partial<DaemonSetState> = {}): DaemonSetState => ({
  set: set(),
  nodes: [node('a'), node('b')],
  daemons: groupByNode(pods),
  hash: 'new',
  now,
  ...more,
});
const planned = (one: DaemonSetState, mayRetry = true): unknown => {
  const plan = planDaemons(one, () => mayRetry);
  return [plan.create, plan.delete.map(({ metadata }) => metadata?.name)];
};
const taints = (key: string, effect: string): JsonObject => ({ taints: [{ key, effect }] });

// Upstream: pkg/controller/daemon/daemon_controller_test.go.
test.each<readonly [string, DaemonSetState, boolean, readonly string[], readonly string[]]>([
  ['one for every node', state([]), true, ['a', 'b'], []],
  ['where there is none yet', state([on('p', 'a')]), true, ['b'], []],
  ['of the nodes that are selected', state([], { set: set({ nodeSelector: { pool: 'a' } }) }), true, ['a'], []],
  ['not where it is repelled', state([], { nodes: [node('a', taints('mine', 'NoSchedule'))] }), true, [], []],
  [
    'but where daemons are at home',
    state([], { nodes: [node('a', taints('node.kubernetes.io/disk-pressure', 'NoSchedule'))] }),
    true,
    ['a'],
    [],
  ],
  [
    'one may stay where none would come',
    state([on('p', 'a')], { nodes: [node('a', taints('mine', 'NoSchedule'))] }),
    true,
    [],
    [],
  ],
  [
    'and goes where it may not',
    state([on('p', 'a')], { nodes: [node('a', taints('mine', 'NoExecute'))] }),
    true,
    [],
    ['p'],
  ],
  [
    'of two the younger goes',
    state([on('p', 'a'), on('q', 'a', 'new', ready, { creationTimestamp: '2026-01-01T00:00:01Z' }), on('r', 'b')]),
    true,
    [],
    ['q'],
  ],
  ['one that failed goes', state([on('p', 'a', 'new', { phase: 'Failed' }), on('r', 'b')]), true, [], ['p']],
  ['but not at once again', state([on('p', 'a', 'new', { phase: 'Failed' }), on('r', 'b')]), false, [], []],
  ['one that succeeded goes', state([on('p', 'a', 'new', { phase: 'Succeeded' }), on('r', 'b')]), false, [], ['p']],
  ['one being deleted is waited for', state([on('p', 'a', 'new', ready, going), on('r', 'b')]), true, [], []],
])('%s', (...[, one, mayRetry, create, deleted]) => {
  expect(planned(one, mayRetry)).toEqual([create, deleted]);
});

const updated = (pods: readonly KubernetesObject[], rollingUpdate: JsonObject): unknown => {
  const plan = planUpdate(state(pods, { set: set({}, rollingUpdate) }));
  return [plan.create, plan.delete.map(({ metadata }) => metadata?.name)];
};

// Upstream: pkg/controller/daemon/update_test.go.
test.each<readonly [string, readonly KubernetesObject[], JsonObject, readonly string[], readonly string[]]>([
  ['one at a time', [on('p', 'a', 'old'), on('q', 'b', 'old')], { maxUnavailable: 1 }, [], ['p']],
  ['two at a time', [on('p', 'a', 'old'), on('q', 'b', 'old')], { maxUnavailable: '100%' }, [], ['p', 'q']],
  ['not while one is missing', [on('p', 'a', 'old'), on('q', 'b', 'new', pending)], { maxUnavailable: 1 }, [], []],
  [
    'a broken one in any case',
    [on('p', 'a', 'old', pending), on('q', 'b', 'new', pending)],
    { maxUnavailable: 1 },
    [],
    ['p'],
  ],
  ['zero of both is one', [on('p', 'a', 'old'), on('q', 'b')], { maxUnavailable: 0, maxSurge: 0 }, [], ['p']],
  ['a surge comes beside', [on('p', 'a', 'old'), on('q', 'b', 'old')], { maxUnavailable: 0, maxSurge: 1 }, ['a'], []],
  [
    'and the old goes when it is available',
    [on('p', 'a', 'old'), on('n', 'a'), on('q', 'b')],
    { maxUnavailable: 0, maxSurge: 1 },
    [],
    ['p'],
  ],
])('update: %s', (...[, pods, rollingUpdate, create, deleted]) => {
  expect(updated(pods, rollingUpdate)).toEqual([create, deleted]);
});

test('the status counts what should be where', () => {
  const nodes = [node('a'), node('b'), node('c', taints('mine', 'NoSchedule'))];
  const pods = [on('p', 'a'), on('q', 'b', 'old', pending), on('r', 'c')];
  expect(daemonStatus(state(pods, { nodes }))).toEqual({
    currentNumberScheduled: 2,
    numberMisscheduled: 1,
    desiredNumberScheduled: 2,
    numberReady: 1,
    updatedNumberScheduled: 1,
    numberAvailable: 1,
    numberUnavailable: 1,
  });
});

test('a daemon is for its node, and tolerates what happens to nodes', () => {
  const made = newDaemonPod(set({ tolerations: [{ key: 'mine', operator: 'Exists' }] }), 'a', 'h');
  expect(groupByNode([made]).has('a')).toBe(true);
  expect(made['spec']).toHaveProperty('tolerations.length', 7);
});
