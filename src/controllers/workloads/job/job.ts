import type { Job } from '../../../api/types/generated/batch-v1.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';
import { asString } from '../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import type { LabelSelector } from '../../../machinery/selectors/label-selector.ts';
import { type ApiClient, controllerUser } from '../../client.ts';
import { type Controller, type ControllerContext, followResource } from '../../controller.ts';
import { createWorkQueue, type QueueProgress, combineProgress } from '../../work-queue.ts';
import { createEventRecorder, type EventRecorder } from '../event-recorder.ts';
import { generationOf, isDeleted, namespaceOf, optionalInt, statusOf, uidOf } from '../fields.ts';
import { followDependents, queueKey, toObjectName, type ObjectName } from '../follow-pods.ts';
import { claim, controllerOf, isControlledBy } from '../ownership.ts';
import { createPodControl, type PodControl, pods, slowStartOver } from '../pod-control.ts';
import { isReady } from '../pod-state.ts';
import { selectorOf } from '../replica-kinds.ts';
import { ignoreNotFound, ignoreTerminatingNamespace } from '../../write-object.ts';
import { type Failures, isTracked, newJobPod, noFailures, trackingFinalizer } from './job-pod.ts';
import { completionsReached, isFinished, ensureJobCondition } from './job-conditions.ts';
import { planJob } from './plan.ts';
import { jobDeadline, isSuspended, type JobSyncContext, createJobSyncContext } from './job-sync-context.ts';
import { type JobStatusCounts, readJobStatus } from './job-status-counts.ts';
import { jobs, trackJobStatus, removeTrackingFinalizer } from './track.ts';

/** Batches Pod changes: many end at the same time. */
const batchPeriod = 1000;

/** Runs Pods to completion. Follows pkg/controller/job/job_controller.go. */
export const jobController: Controller = (context) => {
  const { store, clock } = context;
  const client = context.clientFor(controllerUser('job-controller'));
  const recorder = createEventRecorder('job-controller', client, context);
  const control = createPodControl(client, recorder);
  const failures = new Map<string, Failures>();
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const stored: Job | undefined = store.get(jobs, key.namespace, key.name);
    const selector = stored && selectorOf(stored);
    if (!stored || !selector || isFinished(stored) || isManagedElsewhere(stored)) {
      failures.delete(queueKey(key));
      return ok(undefined);
    }
    const members = await claimPods(stored, selector, { client, store });
    if (!members.ok) return members;
    const now = clock.now();
    const before = failures.get(queueKey(key)) ?? noFailures;
    const syncContext = createJobSyncContext(withStartTime(stored, now), members.value, { failures: before, now });
    const later = (milliseconds: number): void => queue.addAfter(key, milliseconds);
    const deadline = jobDeadline(syncContext.job);
    if (deadline !== undefined && !syncContext.verdict) later(Math.max(0, deadline - now));
    const managed = await manageJob(syncContext, { control, client, recorder, now, later });
    const tracked = await trackJobStatus(managed.context, managed.statusCounts, { client, recorder, now: clock.now });
    if (!tracked.ok) return ignoreNotFound(tracked);
    failures.set(queueKey(key), syncContext.failures);
    return managed.result;
  };
  const queue = createWorkQueue(queueKey, sync, context, { first: 1000, max: 60_000 });
  const addBatched = (key: ObjectName): void => queue.addSoon(key, batchPeriod);
  followResource(context, jobs, (change) => {
    const isStatus = change.type === 'updated' && generationOf(change.object) === generationOf(change.previous);
    (isStatus ? addBatched : queue.add)(toObjectName(change.object));
  });
  followDependents(context, pods, { kind: 'Job', resource: jobs, selectorOf }, addBatched);
  const orphans = followOrphans(context, client);
  return combineProgress([queue.progress, orphans, recorder.progress]);
};

type ClaimPorts = { readonly client: ApiClient } & Pick<ControllerContext, 'store'>;

/** The Pods of the Job, adopted ones included. */
async function claimPods(
  job: Job,
  selector: LabelSelector,
  { client, store }: ClaimPorts,
): Promise<Result<readonly KubernetesObject[]>> {
  const finalizers = [trackingFinalizer];
  const claimed = await claim({ owner: job, selector, client, store, resource: pods, finalizers });
  if (!claimed.ok) return claimed;
  const known = new Set(claimed.value.map(uidOf));
  // Adoption changed them.
  return ok(store.list(pods, namespaceOf(job)).filter((pod) => isControlledBy(pod, job) && known.has(uidOf(pod))));
}

/** Another controller manages it (managedBy). */
const isManagedElsewhere = (job: Job): boolean =>
  !['', 'kubernetes.io/job-controller'].includes(asString(job.spec?.managedBy));

function withStartTime(job: Job, now: number): KubernetesObject {
  if (isSuspended(job) || readJobStatus(job).startTime !== undefined) return job;
  return { ...job, status: { ...statusOf(job), startTime: formatTime(now) } };
}

interface ManagePorts {
  readonly control: PodControl;
  readonly client: ApiClient;
  readonly recorder: EventRecorder;
  readonly now: number;
  readonly later: (milliseconds: number) => void;
}

interface ManageResult {
  readonly context: JobSyncContext;
  readonly statusCounts: JobStatusCounts;
  readonly result: Result<unknown>;
}

/** Creates and deletes Pods and updates the status. Follows the second half of syncJob. */
async function manageJob(context: JobSyncContext, ports: ManagePorts): Promise<ManageResult> {
  const statusCounts: JobStatusCounts = {
    ...readJobStatus(context.job),
    ready: context.ready,
    terminating: context.terminating,
  };
  if (context.verdict) return deleteActivePods(context, statusCounts, ports);
  if (isDeleted(context.job))
    return { context, statusCounts: { ...statusCounts, active: context.active.length }, result: ok(undefined) };
  const { active, gone, result } = await executePlan(context, ports);
  const after = { ...countDeletedPods(statusCounts, gone), active };
  const completions = optionalInt(context.job.spec?.completions);
  const isEnough = completions === undefined ? context.succeeded > 0 : context.succeeded >= completions;
  if (isEnough && active === 0)
    return { context: { ...context, verdict: completionsReached }, statusCounts: after, result };
  return { context, statusCounts: updateSuspended(context.job, after, ports), result };
}

/** Deletes the active Pods of a finished Job; stops at a failed deletion. */
async function deleteActivePods(
  context: JobSyncContext,
  statusCounts: JobStatusCounts,
  { control }: ManagePorts,
): Promise<ManageResult> {
  const results = await Promise.all(
    context.active.map(async (pod) => ({ pod, result: await control.delete(context.job, pod) })),
  );
  const gone = results.filter(({ result }) => result.ok).map(({ pod }) => pod);
  const failure = results.find(({ result }) => !result.ok)?.result;
  const after = { ...countDeletedPods(statusCounts, gone), active: context.active.length - gone.length };
  return {
    context: failure ? { ...context, verdict: undefined } : context,
    statusCounts: after,
    result: failure ?? ok(undefined),
  };
}

const countDeletedPods = (statusCounts: JobStatusCounts, gone: readonly KubernetesObject[]): JobStatusCounts => ({
  ...statusCounts,
  ready: statusCounts.ready - gone.filter(isReady).length,
  terminating: statusCounts.terminating + gone.length,
});

interface ExecutedPlan {
  readonly active: number;
  readonly gone: readonly KubernetesObject[];
  readonly result: Result<unknown>;
}

async function executePlan(
  context: JobSyncContext,
  { control, client, now, later }: ManagePorts,
): Promise<ExecutedPlan> {
  const { job, active } = context;
  const plan = planJob(context, now);
  if (plan.act === 'wait') {
    later(plan.milliseconds);
    return { active: 0, gone: [], result: ok(undefined) };
  }
  if (plan.act === 'create') {
    let made = 0;
    const result = await slowStartOver(plan.pods, async ({ index, failures }) => {
      const created = await control.create(job, newJobPod(job, index, failures));
      if (created.ok) made += 1;
      return ignoreTerminatingNamespace(created);
    });
    return { active: active.length + made, gone: [], result };
  }
  const gone: KubernetesObject[] = [];
  let result: Result<unknown> = ok(undefined);
  for (const pod of plan.act === 'delete' ? plan.pods : []) {
    const released = await removeTrackingFinalizer(client, pod);
    const deleted = released.ok ? await control.delete(job, pod) : released;
    if (deleted.ok) gone.push(pod);
    else result = deleted;
  }
  return { active: active.length - gone.length, gone, result };
}

/** Sets the Suspended condition; a resume restarts startTime. */
function updateSuspended(job: Job, statusCounts: JobStatusCounts, { recorder, now }: ManagePorts): JobStatusCounts {
  const verdict = isSuspended(job)
    ? ({ type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' } as const)
    : ({ type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' } as const);
  const conditions = ensureJobCondition(statusCounts.conditions, verdict, now);
  if (conditions === statusCounts.conditions) return statusCounts;
  recorder.event(job, 'Normal', isSuspended(job) ? 'Suspended' : 'Resumed', verdict.message);
  return { ...statusCounts, conditions, startTime: isSuspended(job) ? undefined : formatTime(now) };
}

/** Removes the finalizer from Pods without a Job. Follows pkg/controller/job/job_controller.go syncOrphanPod. */
function followOrphans(context: ControllerContext, client: ApiClient): QueueProgress {
  const { store } = context;
  const hasJob = (pod: Pod): boolean => {
    const owner = controllerOf(pod);
    const job = owner?.kind === 'Job' ? store.get(jobs, namespaceOf(pod), owner.name) : undefined;
    return job !== undefined && uidOf(job) === owner?.uid;
  };
  const queue = createWorkQueue(
    queueKey,
    async ({ namespace, name }) => {
      const pod = store.get(pods, namespace, name);
      return !pod || !isTracked(pod) || hasJob(pod) ? ok(undefined) : removeTrackingFinalizer(client, pod);
    },
    context,
  );
  followResource(context, pods, (change) => {
    if (change.type === 'removed' || !isTracked(change.object) || hasJob(change.object)) return;
    // A Pod without any owner may still be adopted; released and deleted ones may not.
    const wasOwned = change.type === 'updated' && controllerOf(change.previous) !== undefined;
    if (wasOwned || change.object.metadata?.deletionTimestamp !== undefined) queue.add(toObjectName(change.object));
  });
  followResource(context, jobs, ({ type, object }) => {
    if (type !== 'removed') return;
    for (const pod of store.list(pods, namespaceOf(object))) {
      if (controllerOf(pod)?.uid === uidOf(object)) queue.add(toObjectName(pod));
    }
  });
  return queue.progress;
}
