import { expect, test } from 'vitest';
import { nextScheduleTimes } from '../../../../src/controllers/workloads/cronjob/cronjob.ts';
import { createJobFromTemplate } from '../../../../src/controllers/workloads/cronjob/jobs.ts';
import { parseSchedule } from '../../../../src/controllers/workloads/cronjob/schedule.ts';

const after = (schedule: string, from: string, timeZone = ''): string | undefined => {
  const next = parseSchedule(schedule, timeZone)?.next(Date.parse(from));
  return next === undefined ? undefined : new Date(next).toISOString().replace('.000Z', 'Z');
};

// robfig/cron spec_test.go and parser_test.go.
test.each([
  ['every minute', '* * * * *', '2026-01-01T00:00:30Z', '2026-01-01T00:01:00Z'],
  ['never the same minute', '0 * * * *', '2026-01-01T01:00:00Z', '2026-01-01T02:00:00Z'],
  ['steps', '*/15 * * * *', '2026-01-01T00:46:00Z', '2026-01-01T01:00:00Z'],
  ['ranges and lists', '5,30-31 9-17 * * mon-fri', '2026-01-03T00:00:00Z', '2026-01-05T09:05:00Z'],
  ['names of months', '0 0 1 feb *', '2026-03-01T00:00:00Z', '2027-02-01T00:00:00Z'],
  ['the day of a leap year', '0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['a day that never comes', '0 0 30 2 *', '2026-01-01T00:00:00Z', undefined],
  ['day of month or of week', '0 0 13 * 5', '2026-01-10T00:00:00Z', '2026-01-13T00:00:00Z'],
  ['a star with a step is not a star', '0 0 13 * */2', '2026-01-11T00:00:00Z', '2026-01-13T00:00:00Z'],
  ['a name for it', '@daily', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'],
  ['every so often', '@every 1h30m', '2026-01-01T00:00:00Z', '2026-01-01T01:30:00Z'],
  ['too few fields', '* * * *', '2026-01-01T00:00:00Z', undefined],
  ['a minute there is none of', '60 * * * *', '2026-01-01T00:00:00Z', undefined],
  ['a backward range', '5-1 * * * *', '2026-01-01T00:00:00Z', undefined],
])('%s', (_fact, schedule, from, wanted) => {
  expect(after(schedule, from)).toBe(wanted);
});

test.each([
  ['there', '0 9 * * *', '2026-07-01T00:00:00Z', '2026-07-01T07:00:00Z'],
  ['over a change of the clock', '30 3 * * *', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00Z'],
  ['an hour that is left out', '30 2 * * *', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00Z'],
])('in another time zone: %s', (_fact, schedule, from, wanted) => {
  expect(after(schedule, from, 'Europe/Berlin')).toBe(wanted);
});

test('an unknown time zone', () => {
  expect(parseSchedule('* * * * *', 'Middle/Earth')).toBeUndefined();
});

const cronJob = (status = {}, spec = {}): Parameters<typeof nextScheduleTimes>[0] => ({
  kind: 'CronJob',
  apiVersion: 'batch/v1',
  metadata: { name: 'c', uid: 'u', creationTimestamp: '2026-01-01T00:00:10Z' },
  spec,
  status,
});

// pkg/controller/cronjob/utils_test.go TestNextScheduleTime.
test.each([
  ['not yet', '2026-01-01T00:00:30Z', {}, {}, undefined, false, '2026-01-01T00:01:00.100Z'],
  ['just now', '2026-01-01T00:01:00Z', {}, {}, '2026-01-01T00:01:00.000Z', false, '2026-01-01T00:02:00.100Z'],
  [
    'the last of several',
    '2026-01-01T00:05:30Z',
    {},
    {},
    '2026-01-01T00:05:00.000Z',
    false,
    '2026-01-01T00:06:00.100Z',
  ],
  ['a hundred and more', '2026-01-01T03:00:30Z', {}, {}, '2026-01-01T03:00:00.000Z', true, '2026-01-01T03:01:00.100Z'],
  [
    'since the last one',
    '2026-01-01T03:00:30Z',
    { lastScheduleTime: '2026-01-01T03:00:00Z' },
    {},
    undefined,
    false,
    '2026-01-01T03:01:00.100Z',
  ],
  [
    'no earlier than the deadline',
    '2026-01-01T03:00:30Z',
    {},
    { startingDeadlineSeconds: 10 },
    undefined,
    false,
    '2026-01-01T03:01:00.100Z',
  ],
])('due: %s', (...[, at, status, spec, last, missedMany, next]) => {
  const schedule = parseSchedule('* * * * *', '');
  if (!schedule) throw new Error('it is one');
  const text = (time: number | undefined): string | undefined =>
    time === undefined ? undefined : new Date(time).toISOString();
  const due = nextScheduleTimes(cronJob(status, spec), schedule, Date.parse(at));
  expect([text(due.last), due.missedMany, text(due.next)]).toEqual([last, missedMany, next]);
});

test('a Job says for which time it is, there', () => {
  const job = createJobFromTemplate(
    cronJob({}, { timeZone: 'Europe/Berlin', jobTemplate: {} }),
    Date.parse('2026-07-01T07:00:00Z'),
  );
  expect(job.metadata).toMatchObject({
    name: 'c-29714820',
    annotations: { 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-07-01T09:00:00+02:00' },
  });
});
