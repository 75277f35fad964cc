import { expect, test } from 'vitest';
import { asString, type JsonObject } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject, ObjectMeta } from '../../../src/machinery/meta/object.ts';
import { nextStep } from '../../../src/controllers/simulated-nodes/kubelet.ts';
import { now, pod } from '../workloads/pods.ts';

const becomes = (outcome: string, after = ''): ObjectMeta => ({
  annotations: { 'kadmit.local/becomes': outcome, ...(after === '' ? {} : { 'kadmit.local/after': after }) },
});
const of = (status: JsonObject, metadata: ObjectMeta = {}, restartPolicy = 'Always'): KubernetesObject => ({
  ...pod('p', metadata, status),
  spec: { restartPolicy, containers: [{ name: 'c', image: 'i' }] },
});
const begun: JsonObject = { phase: 'Pending', startTime: '2026-01-01T00:00:00Z' };
const runs: JsonObject = { ...begun, phase: 'Running' };
const crashed: JsonObject = { ...runs, containerStatuses: [{ restartCount: 2 }] };
const doomed = (deletionGracePeriodSeconds: number): ObjectMeta => ({
  deletionTimestamp: new Date(now + deletionGracePeriodSeconds * 1000).toISOString(),
  deletionGracePeriodSeconds,
});

function describeStep(one: KubernetesObject): string {
  const step = nextStep(one, { now, since: now, address: '10.64.0.1' });
  if (step.act !== 'write') return step.act === 'remove' ? `remove after ${step.after}` : step.act;
  const { phase, containerStatuses } = step.status;
  const [first] = Array.isArray(containerStatuses) ? containerStatuses : [];
  return `${asString(phase)} after ${step.after} ${JSON.stringify(first?.['ready'])} ${first?.['restartCount']}`;
}

test.each<readonly [string, KubernetesObject, string]>([
  ['it begins at once', of({ phase: 'Pending' }), 'Pending after 0 false 0'],
  ['and is ready in a second', of(begun), 'Running after 1000 true 0'],
  ['or later', of(begun, becomes('Ready', '2m')), 'Running after 120000 true 0'],
  ['and stays so', of(runs), 'nothing'],
  ['never ready', of(begun, becomes('NotReady')), 'Running after 1000 false 0'],
  ['a Job’s Pod runs', of(begun, {}, 'Never'), 'Running after 1000 false 0'],
  ['and completes', of(runs, {}, 'Never'), 'Succeeded after 1000 false 0'],
  ['or fails', of(runs, becomes('Failed'), 'Never'), 'Failed after 1000 false 0'],
  ['what is restarted for ever fails again and again', of(runs, becomes('Failed')), 'Running after 1000 false 1'],
  ['each time later', of(crashed, becomes('CrashLoopBackOff')), 'Running after 20000 false 3'],
  ['a finished Pod stays', of({ ...runs, phase: 'Failed' }), 'nothing'],
  ['deleted, its containers stop in a second', of(runs, doomed(30)), 'Succeeded after 1000 false 0'],
  ['or later, as annotated', of(runs, { ...becomes('Ready', '5s'), ...doomed(30) }), 'Succeeded after 5000 false 0'],
  [
    'at the end of the grace period',
    of(runs, { ...becomes('Ready', '2m'), ...doomed(30) }),
    'Succeeded after 30000 false 0',
  ],
  ['at once without one', of(runs, doomed(0)), 'Succeeded after 0 false 0'],
  ['then it is removed', of({ ...runs, phase: 'Succeeded' }, doomed(30)), 'remove after 0'],
  ['deleted before it started, it is removed', of({ phase: 'Pending' }, doomed(30)), 'remove after 0'],
  ['unknown annotation values change nothing', of(begun, becomes('Coffee', 'soon')), 'Running after 1000 true 0'],
])('%s', (_fact, one, wanted) => {
  expect(describeStep(one)).toBe(wanted);
});
