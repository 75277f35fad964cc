import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { newJobPod, noFailures, trackingFinalizer } from '../../../../src/controllers/workloads/job/job-pod.ts';
import { planJob } from '../../../../src/controllers/workloads/job/plan.ts';
import { createJobSyncContext } from '../../../../src/controllers/workloads/job/job-sync-context.ts';
import { going, now, pod } from '../pods.ts';

const job = (spec: JsonObject = {}, status: JsonObject = {}): KubernetesObject => ({
  kind: 'Job',
  apiVersion: 'batch/v1',
  metadata: { name: 'j', namespace: 'default', uid: 'job' },
  spec: { parallelism: 2, completions: 3, backoffLimit: 1, ...spec },
  status,
});
const of = (name: string, phase: string, metadata = {}, status: JsonObject = {}): KubernetesObject =>
  pod(name, { finalizers: [trackingFinalizer], ...metadata }, { phase, ...status });
const at = (index: number): JsonObject => ({ 'batch.kubernetes.io/job-completion-index': String(index) });
const indexed = { completionMode: 'Indexed' };

const planned = (one: KubernetesObject, pods: readonly KubernetesObject[]): string => {
  const context = createJobSyncContext(one, pods, { failures: noFailures, now });
  if (context.verdict) return `${context.verdict.type}: ${context.verdict.message}`;
  const plan = planJob(context, now);
  if (plan.act === 'wait') return `wait ${plan.milliseconds}`;
  if (plan.act === 'nothing') return plan.act;
  if (plan.act === 'delete') return `delete ${plan.pods.map(({ metadata }) => metadata?.name).join(' ')}`;
  return `create ${plan.pods.map(({ index }) => index ?? '-').join(' ')}`;
};

const exit = (code: number): JsonObject => ({
  containerStatuses: [{ name: 'c', state: { terminated: { exitCode: code } } }],
});
const policy = (action: string): JsonObject => ({
  podFailurePolicy: { rules: [{ action, onExitCodes: { operator: 'In', values: [42] } }] },
});
const lately = { creationTimestamp: '2026-01-01T23:59:55Z' };

// Upstream: pkg/controller/job/job_controller_test.go TestControllerSyncJob and others.
test.each<readonly [string, KubernetesObject, readonly KubernetesObject[], string]>([
  ['as many as may run', job(), [], 'create - -'],
  ['no more than are needed', job({}, { succeeded: 2 }), [], 'create -'],
  ['beside those that run', job(), [of('a', 'Running')], 'create -'],
  [
    'too many: some go, pending ones first',
    job({ parallelism: 1 }),
    [of('a', 'Running'), of('b', 'Pending')],
    'delete b',
  ],
  ['suspended: all go', job({ suspend: true }), [of('a', 'Running')], 'delete a'],
  [
    'without completions until the first success',
    job({ completions: undefined }, {}),
    [of('a', 'Succeeded')],
    'nothing',
  ],
  ['after a failure it waits', job(), [of('a', 'Failed', lately)], 'wait 5000'],
  ['not for ever', job(), [of('a', 'Failed')], 'create - -'],
  [
    'too many failures',
    job({}, { failed: 1 }),
    [of('a', 'Failed')],
    'FailureTarget: Job has reached the specified backoff limit',
  ],
  ['one being deleted failed', job(), [of('a', 'Running', going)], 'create - -'],
  [
    'unless only ended ones are replaced',
    job({ podReplacementPolicy: 'Failed' }),
    [of('a', 'Running', going)],
    'create -',
  ],
  [
    'too long',
    job({ activeDeadlineSeconds: 60 }, { startTime: '2026-01-01T23:59:00Z' }),
    [],
    'FailureTarget: Job was active longer than specified deadline',
  ],
  [
    'a failure that ends it at once',
    job(policy('FailJob')),
    [of('a', 'Failed', {}, exit(42))],
    'FailureTarget: Container c for pod default/a failed with exit code 42 matching FailJob rule at index 0',
  ],
  ['one that does not count', job(policy('Ignore'), { failed: 1 }), [of('a', 'Failed', {}, exit(42))], 'create - -'],
  ['each index once', job(indexed), [of('a', 'Running', { annotations: at(0) })], 'create 1'],
  ['those that are done are not done again', job(indexed, { completedIndexes: '0', succeeded: 1 }), [], 'create 1 2'],
  [
    'of two of one index one goes',
    job(indexed),
    [of('a', 'Pending', { annotations: at(0) }), of('b', 'Running', { annotations: at(0) })],
    'delete a',
  ],
  [
    'an index that failed too often is given up',
    job({ ...indexed, backoffLimitPerIndex: 0, backoffLimit: 9 }),
    [of('a', 'Failed', { annotations: at(0) })],
    'create 1 2',
  ],
  [
    'all are over and one failed',
    job({ ...indexed, backoffLimitPerIndex: 0, backoffLimit: 9 }, { completedIndexes: '1,2' }),
    [of('a', 'Failed', { annotations: at(0) })],
    'FailureTarget: Job has failed indexes',
  ],
  [
    'a rule says that this is success',
    job({ ...indexed, successPolicy: { rules: [{ succeededIndexes: '0,2', succeededCount: 1 }] } }),
    [of('a', 'Succeeded', { annotations: at(2) })],
    'SuccessCriteriaMet: Matched rules at index 0',
  ],
  [
    'what was counted is not counted again',
    job({}, { succeeded: 1 }),
    [pod('a', {}, { phase: 'Succeeded' })],
    'create - -',
  ],
])('%s', (_fact, one, pods, wanted) => {
  expect(planned(one, pods)).toBe(wanted);
});

test('a Pod with an index knows it', () => {
  const made = newJobPod(job({ template: { spec: { containers: [{ name: 'c' }] } } }), 4, { counted: 1, ignored: 0 });
  expect(made.metadata).toMatchObject({
    generateName: 'j-4-',
    annotations: { ...at(4), 'batch.kubernetes.io/job-index-failure-count': '1' },
    labels: at(4),
    finalizers: [trackingFinalizer],
  });
  expect(made['spec']).toMatchObject({ hostname: 'j-4', containers: [{ env: [{ name: 'JOB_COMPLETION_INDEX' }] }] });
});

test('its Pods wait to be counted', () => {
  expect(newJobPod(job({ template: {} }), undefined, undefined).metadata?.finalizers).toEqual([trackingFinalizer]);
});
