import type { CronJob, CronJobStatus, Job } from '../../../api/types/generated/batch-v1.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { controllerUser } from '../../client.ts';
import { type Controller, followResource } from '../../controller.ts';
import { createWorkQueue, combineProgress } from '../../work-queue.ts';
import { createEventRecorder } from '../event-recorder.ts';
import { compactStatus, isDeleted, nameOf, namespaceOf, optionalInt } from '../fields.ts';
import { queueKey, toObjectName, type ObjectName } from '../follow-pods.ts';
import { jobs } from '../job/track.ts';
import { controllerOf, isControlledBy } from '../ownership.ts';
import { millisecondsOf } from '../pod-state.ts';
import { updateStatus, ignoreNotFound, isTerminatingNamespace, postObject } from '../../write-object.ts';
import {
  deleteFinishedJobs,
  type CronJobState,
  deleteJob,
  syncActiveJobs,
  type CronJobPorts,
  createJobFromTemplate,
  jobName,
  referenceTo,
  timeZoneOf,
} from './jobs.ts';
import { isTimeZone, parseSchedule, type Schedule } from './schedule.ts';

const cronJobs = { group: 'batch', version: 'v1', resource: 'cronjobs' };

/** Creates Jobs on schedule. Follows pkg/controller/cronjob/cronjob_controllerv2.go. */
export const cronJobController: Controller = (context) => {
  const { store, clock } = context;
  const client = context.clientFor(controllerUser('cronjob-controller'));
  const recorder = createEventRecorder('cronjob-controller', client, context);
  const sync = async (key: ObjectName): Promise<Result<unknown>> => {
    const cronJob: CronJob | undefined = store.get(cronJobs, key.namespace, key.name);
    if (!cronJob) return ok(undefined);
    const ports = { client, recorder, now: clock.now() };
    const own = store.list(jobs, key.namespace).filter((job) => isControlledBy(job, cronJob));
    const gone = await deleteFinishedJobs(cronJob, own, ports);
    const synced = syncActiveJobs(cronJob, { own, gone }, ports);
    const started = await startDueJob(cronJob, synced, {
      ...ports,
      jobOf: (name) => store.get(jobs, key.namespace, name),
    });
    if (started.next !== undefined) queue.addAfter(key, Math.max(0, started.next - ports.now));
    const status = compactStatus<CronJobStatus>({ ...started.status });
    const written = await updateStatus(client, cronJobs, cronJob, status);
    return written.ok ? started.result : ignoreNotFound(written);
  };
  const queue = createWorkQueue(queueKey, sync, context);
  followResource(context, cronJobs, (change) => {
    const { object } = change;
    if (change.type !== 'updated' || sameSchedule(change.previous, object)) return queue.add(toObjectName(object));
    // Missed times of an earlier schedule do not count.
    const schedule = parseSchedule(scheduleText(object), timeZoneOf(object));
    const next = schedule && nextScheduleTimes(object, schedule, clock.now()).next;
    if (next !== undefined) queue.addAfter(toObjectName(object), Math.max(0, next - clock.now()));
  });
  followResource(context, jobs, ({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === 'CronJob') queue.add({ namespace: namespaceOf(object), name: owner.name });
  });
  return combineProgress([queue.progress, recorder.progress]);
};

const scheduleText = (cronJob: CronJob): string => asString(cronJob.spec?.schedule);

const sameSchedule = (a: CronJob, b: CronJob): boolean =>
  scheduleText(a) === scheduleText(b) && timeZoneOf(a) === timeZoneOf(b);

interface StartResult {
  readonly status: CronJobState;
  readonly next: number | undefined;
  readonly result: Result<unknown>;
}

interface StartPorts extends CronJobPorts {
  readonly jobOf: (name: string) => KubernetesObject | undefined;
}

/** Follows the second half of syncCronJob. */
async function startDueJob(cronJob: CronJob, status: CronJobState, ports: StartPorts): Promise<StartResult> {
  const idle: StartResult = { status, next: undefined, result: ok(undefined) };
  const schedule = isDeleted(cronJob) ? undefined : parseCronJobSchedule(cronJob, ports);
  if (!schedule) return idle;
  const { last, missedMany, next } = nextScheduleTimes(cronJob, schedule, ports.now);
  if (missedMany) ports.recorder.event(cronJob, 'Warning', 'TooManyMissedTimes', tooManyMissedTimesText);
  if (last === undefined || !shouldStart(cronJob, { status, time: last }, ports)) return { ...idle, next };
  const isReplaced = cronJob.spec?.concurrencyPolicy === 'Replace';
  const deletion = isReplaced ? await deleteActiveJobs(cronJob, status, ports) : ok(status);
  if (!deletion.ok) return { ...idle, result: deletion };
  const created = await createJob(cronJob, { status: deletion.value, time: last }, ports);
  return { ...created, next: created.result.ok ? next : undefined };
}

/** undefined when it is suspended or invalid. */
function parseCronJobSchedule(cronJob: CronJob, { recorder }: CronJobPorts): Schedule | undefined {
  const text = scheduleText(cronJob);
  const timeZone = timeZoneOf(cronJob);
  if (!isTimeZone(timeZone)) {
    const message = `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`;
    recorder.event(cronJob, 'Warning', 'UnknownTimeZone', message);
    return undefined;
  }
  if (cronJob.spec?.suspend === true) return undefined;
  const schedule = parseSchedule(text, timeZone);
  if (!schedule) {
    recorder.event(cronJob, 'Warning', 'UnparseableSchedule', `unparseable schedule: ${JSON.stringify(text)}`);
  }
  return schedule;
}

interface DueJob {
  readonly status: CronJobState;
  readonly time: number;
}

/** Is a Job due at this time: in time, not a duplicate, and allowed by the concurrencyPolicy? */
function shouldStart(cronJob: CronJob, { status, time }: DueJob, { recorder, now }: CronJobPorts): boolean {
  const deadline = optionalInt(cronJob.spec?.startingDeadlineSeconds);
  if (deadline !== undefined && time + deadline * 1000 < now) {
    const text = new Date(time).toUTCString().replace('GMT', '+0000');
    recorder.event(cronJob, 'Warning', 'MissSchedule', `Missed scheduled time to start a job: ${text}`);
    return false;
  }
  const name = jobName(cronJob, time);
  if (status.active.some((job) => job.name === name) || status.lastScheduleTime === formatTime(time)) return false;
  if (cronJob.spec?.concurrencyPolicy === 'Forbid' && status.active.length > 0) {
    recorder.event(cronJob, 'Normal', 'JobAlreadyActive', alreadyActiveText);
    return false;
  }
  return true;
}

const tooManyMissedTimesText =
  'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
const alreadyActiveText = 'Not starting job because prior execution is running and concurrency policy is Forbid';

/** Waits while a running Job cannot be deleted. */
async function deleteActiveJobs(
  cronJob: CronJob,
  status: CronJobState,
  ports: CronJobPorts,
): Promise<Result<CronJobState>> {
  for (const { name } of status.active) {
    const deleted = await deleteJob(cronJob, asString(name), ports);
    if (!deleted.ok) return deleted;
  }
  return ok({ ...status, active: [] });
}

/** An existing Job counts if it has the right controller. */
async function createJob(
  cronJob: CronJob,
  { status, time }: DueJob,
  { client, recorder, jobOf }: StartPorts,
): Promise<Omit<StartResult, 'next'>> {
  const body = createJobFromTemplate(cronJob, time);
  const created = await postObject(client, jobs, body);
  const same = { status, result: ok(undefined) };
  if (created.ok) {
    recorder.event(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${nameOf(created.value)}`);
    return { ...same, status: withActive(status, created.value, time) };
  }
  const existing = created.status.reason === 'AlreadyExists' ? jobOf(nameOf(body)) : undefined;
  if (existing)
    return isControlledBy(existing, cronJob) ? { ...same, status: withActive(status, existing, time) } : same;
  if (isTerminatingNamespace(created.status)) return same;
  recorder.event(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${created.status.message ?? ''}`);
  return { status, result: created };
}

const withActive = (status: CronJobState, job: Job, time: number): CronJobState => ({
  ...status,
  active: [...status.active, referenceTo(job)],
  lastScheduleTime: formatTime(time),
});

/** The last and the next scheduled time; milliseconds since 1970. */
interface ScheduleTimes {
  /** undefined when no time was missed. */
  readonly last: number | undefined;
  /** More than a hundred times were missed. */
  readonly missedMany: boolean;
  readonly next: number | undefined;
}

interface MissedTimes {
  readonly earliest: number;
  readonly last: number | undefined;
  readonly count: number;
}

/** A little after the time, to allow for clock skew. */
const nextScheduleDelta = 100;

/** Follows pkg/controller/cronjob/utils.go nextScheduleTime and cronjob_controllerv2.go nextScheduleTimeDuration. */
export function nextScheduleTimes(cronJob: CronJob, schedule: Schedule, now: number): ScheduleTimes {
  const startingDeadline = optionalInt(cronJob.spec?.startingDeadlineSeconds);
  const seen = mostRecentScheduleTime(cronJob, schedule, { now, startingDeadline });
  const all = mostRecentScheduleTime(cronJob, schedule, { now, startingDeadline: undefined });
  const from = all.last ?? (all.count === 0 ? all.earliest : now);
  const next = schedule.next(from);
  return {
    last: seen.last,
    missedMany: seen.count > 100,
    next: next === undefined ? undefined : next + nextScheduleDelta,
  };
}

interface ScheduleWindow {
  readonly now: number;
  readonly startingDeadline: number | undefined;
}

/** Follows mostRecentScheduleTime, which estimates missed times from the first two. */
function mostRecentScheduleTime(
  cronJob: CronJob,
  schedule: Schedule,
  { now, startingDeadline }: ScheduleWindow,
): MissedTimes {
  const since = asString(asObject(cronJob.status).lastScheduleTime) || metadataOf(cronJob).creationTimestamp;
  const begun = millisecondsOf(since ?? '') ?? now;
  const earliest = startingDeadline === undefined ? begun : Math.max(begun, now - startingDeadline * 1000);
  const first = schedule.next(earliest) ?? Infinity;
  const second = first === Infinity ? Infinity : (schedule.next(first) ?? Infinity);
  if (now < first) return { earliest, last: undefined, count: 0 };
  if (now < second) return { earliest, last: first, count: 0 };
  const step = second - first;
  const count = Math.floor((now - first) / step) + 1;
  let last: number | undefined;
  let next = schedule.next(first + (count - 2) * step);
  while (next !== undefined && next <= now) {
    last = next;
    next = schedule.next(next);
  }
  return { earliest, last, count };
}
