import type { CronJob, CronJobStatus, Job } from '../../../api/types/generated/batch-v1.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { asKubernetesObject, type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import { ok, type Result } from '../../../machinery/meta/result.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { controllerUser } from '../../client.ts';
import { type Controller, followResource } from '../../controller.ts';
import { resourcePath } from '../../served-resources.ts';
import { createWorkQueue, progressOf } from '../../work-queue.ts';
import { createEventRecorder } from '../event-recorder.ts';
import { compactStatus, isDeleted, nameOf, namespaceOf, optionalInt } from '../fields.ts';
import { keyOfName, nameIn, type ObjectName } from '../follow-pods.ts';
import { jobs } from '../job/track.ts';
import { controllerOf, isControlledBy } from '../ownership.ts';
import { isTerminatingNamespace } from '../pod-control.ts';
import { millisecondsOf } from '../pod-state.ts';
import { updateStatus, unlessGone } from '../../write-object.ts';
import {
  deleteFinishedJobs,
  type CronStatus,
  deleteJob,
  look,
  type Ports,
  jobAt,
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
    const looked = look(cronJob, { own, gone }, ports);
    const started = await start(cronJob, looked, { ...ports, jobOf: (name) => store.get(jobs, key.namespace, name) });
    if (started.next !== undefined) queue.addAfter(key, Math.max(0, started.next - ports.now));
    const status = compactStatus<CronJobStatus>({ ...started.status });
    const written = await updateStatus(client, cronJobs, cronJob, status);
    return written.ok ? started.result : unlessGone(written);
  };
  const queue = createWorkQueue(keyOfName, sync, context);
  followResource(context, cronJobs, (change) => {
    const { object } = change;
    if (change.type !== 'updated' || sameSchedule(change.previous, object)) return queue.add(nameIn(object));
    // Missed times of an earlier schedule do not count.
    const schedule = parseSchedule(scheduleIn(object), timeZoneOf(object));
    const next = schedule && dueTimes(object, schedule, clock.now()).next;
    if (next !== undefined) queue.addAfter(nameIn(object), Math.max(0, next - clock.now()));
  });
  followResource(context, jobs, ({ object }) => {
    const owner = controllerOf(object);
    if (owner?.kind === 'CronJob') queue.add({ namespace: namespaceOf(object), name: owner.name });
  });
  return progressOf([queue.progress, recorder.progress]);
};

const scheduleIn = (cronJob: CronJob): string => asString(cronJob.spec?.schedule);

const sameSchedule = (a: CronJob, b: CronJob): boolean =>
  scheduleIn(a) === scheduleIn(b) && timeZoneOf(a) === timeZoneOf(b);

interface Started {
  readonly status: CronStatus;
  readonly next: number | undefined;
  readonly result: Result<unknown>;
}

interface StartPorts extends Ports {
  readonly jobOf: (name: string) => KubernetesObject | undefined;
}

/** Follows the second half of syncCronJob. */
async function start(cronJob: CronJob, status: CronStatus, ports: StartPorts): Promise<Started> {
  const idle: Started = { status, next: undefined, result: ok(undefined) };
  const schedule = isDeleted(cronJob) ? undefined : scheduleOf(cronJob, ports);
  if (!schedule) return idle;
  const { last, missedMany, next } = dueTimes(cronJob, schedule, ports.now);
  if (missedMany) ports.recorder.event(cronJob, 'Warning', 'TooManyMissedTimes', tooMany);
  if (last === undefined || !isWanted(cronJob, { status, time: last }, ports)) return { ...idle, next };
  const isReplaced = cronJob.spec?.concurrencyPolicy === 'Replace';
  const left = isReplaced ? await replace(cronJob, status, ports) : ok(status);
  if (!left.ok) return { ...idle, result: left };
  const made = await makeJob(cronJob, { status: left.value, time: last }, ports);
  return { ...made, next: made.result.ok ? next : undefined };
}

/** undefined when it is suspended or invalid. */
function scheduleOf(cronJob: CronJob, { recorder }: Ports): Schedule | undefined {
  const text = scheduleIn(cronJob);
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

interface Wanted {
  readonly status: CronStatus;
  readonly time: number;
}

/** Is a Job due at this time: in time, not a duplicate, and allowed by the concurrencyPolicy? */
function isWanted(cronJob: CronJob, { status, time }: Wanted, { recorder, now }: Ports): boolean {
  const deadline = optionalInt(cronJob.spec?.startingDeadlineSeconds);
  if (deadline !== undefined && time + deadline * 1000 < now) {
    const text = new Date(time).toUTCString().replace('GMT', '+0000');
    recorder.event(cronJob, 'Warning', 'MissSchedule', `Missed scheduled time to start a job: ${text}`);
    return false;
  }
  const name = jobName(cronJob, time);
  if (status.active.some((job) => job.name === name) || status.lastScheduleTime === formatTime(time)) return false;
  if (cronJob.spec?.concurrencyPolicy === 'Forbid' && status.active.length > 0) {
    recorder.event(cronJob, 'Normal', 'JobAlreadyActive', alreadyActive);
    return false;
  }
  return true;
}

const tooMany = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
const alreadyActive = 'Not starting job because prior execution is running and concurrency policy is Forbid';

/** Waits while a running Job cannot be deleted. */
async function replace(cronJob: CronJob, status: CronStatus, ports: Ports): Promise<Result<CronStatus>> {
  for (const { name } of status.active) {
    const deleted = await deleteJob(cronJob, asString(name), ports);
    if (!deleted.ok) return deleted;
  }
  return ok({ ...status, active: [] });
}

/** An existing Job counts if it has the right controller. */
async function makeJob(
  cronJob: CronJob,
  { status, time }: Wanted,
  { client, recorder, jobOf }: StartPorts,
): Promise<Omit<Started, 'next'>> {
  const body = jobAt(cronJob, time);
  const made = await client({ method: 'POST', path: resourcePath(jobs, namespaceOf(cronJob)), body });
  const same = { status, result: ok(undefined) };
  if (made.ok) {
    const job = asKubernetesObject(made.value) ?? body;
    recorder.event(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${nameOf(job)}`);
    return { ...same, status: withActive(status, job, time) };
  }
  const existing = made.status.reason === 'AlreadyExists' ? jobOf(nameOf(body)) : undefined;
  if (existing)
    return isControlledBy(existing, cronJob) ? { ...same, status: withActive(status, existing, time) } : same;
  if (isTerminatingNamespace(made.status)) return same;
  recorder.event(cronJob, 'Warning', 'FailedCreate', `Error creating job: ${made.status.message ?? ''}`);
  return { status, result: made };
}

const withActive = (status: CronStatus, job: Job, time: number): CronStatus => ({
  ...status,
  active: [...status.active, referenceTo(job)],
  lastScheduleTime: formatTime(time),
});

/** The last and the next scheduled time; milliseconds since 1970. */
interface Due {
  /** undefined when no time was missed. */
  readonly last: number | undefined;
  /** More than a hundred times were missed. */
  readonly missedMany: boolean;
  readonly next: number | undefined;
}

interface Missed {
  readonly earliest: number;
  readonly last: number | undefined;
  readonly count: number;
}

/** A little after the time, to allow for clock skew. */
const delta = 100;

/** Follows pkg/controller/cronjob/utils.go nextScheduleTime and cronjob_controllerv2.go nextScheduleTimeDuration. */
export function dueTimes(cronJob: CronJob, schedule: Schedule, now: number): Due {
  const startingDeadline = optionalInt(cronJob.spec?.startingDeadlineSeconds);
  const seen = missed(cronJob, schedule, { now, startingDeadline });
  const all = missed(cronJob, schedule, { now, startingDeadline: undefined });
  const from = all.last ?? (all.count === 0 ? all.earliest : now);
  const next = schedule.next(from);
  return { last: seen.last, missedMany: seen.count > 100, next: next === undefined ? undefined : next + delta };
}

interface Limits {
  readonly now: number;
  readonly startingDeadline: number | undefined;
}

/** Follows mostRecentScheduleTime, which estimates missed times from the first two. */
function missed(cronJob: CronJob, schedule: Schedule, { now, startingDeadline }: Limits): Missed {
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
