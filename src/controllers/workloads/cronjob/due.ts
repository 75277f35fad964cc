import { metadataOf } from '../../../machinery/meta/object.ts';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { optionalInt } from '../fields.ts';
import { millisecondsOf } from '../pod-state.ts';
import type { Schedule } from './schedule.ts';
import type { CronJob } from '../../../api/types/generated/batch-v1.ts';

/** When a CronJob was due last, and when it is due next; milliseconds since 1970. */
export interface Due {
  /** Undefined when there is nothing to catch up on. */
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

/** Looks again shortly after the time, so that clocks agree that it has come. */
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

/** Follows mostRecentScheduleTime, which estimates how often it missed by the first two times. */
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
