import { expect, test } from 'vitest';
import { findingsOf } from '../../../src/explain/findings/findings-of.ts';
import type { Trace, TracedWebhook } from '../../../src/explain/trace/trace.ts';
import { traceOf } from '../../harness/trace-requests.ts';
import { podHook, podStory } from '../../harness/pod-story.ts';

const names = ['a.example.com', 'b.example.com'] as const;
const [first, second] = names;

/** Two webhooks were called, and took what is said of them. */
async function took(times: Readonly<Record<string, Partial<TracedWebhook>>>): Promise<Trace> {
  const trace = await traceOf(podStory(names.map((name) => podHook(name.replaceAll('.', '-'), name))));
  const admission = trace.admission.map((one): typeof one =>
    one.type === 'webhook' && one.outcome === 'called' ? { ...one, ...times[one.name] } : one,
  );
  return { ...trace, admission };
}

const facts: readonly [fact: string, times: Parameters<typeof took>[0], titles: readonly string[]][] = [
  ['quick ones', { [first]: { milliseconds: 900 }, [second]: { milliseconds: 10 } }, []],
  [
    'one needs 80 % of its time',
    { [first]: { milliseconds: 800, timeoutMilliseconds: 1000 } },
    ['a.example.com (a-example-com) took 800.0 ms of its 1.0 s'],
  ],
  ['one needs a little less', { [first]: { milliseconds: 799, timeoutMilliseconds: 1000 } }, []],
  [
    'the time for which it was held by hand does not count',
    {
      [first]: {
        milliseconds: 9000,
        holds: [{ moment: 'before', startedAt: 0, milliseconds: 8990, ended: 'continued', by: 'alice' }],
      },
    },
    [],
  ],
  [
    'a slow one among others',
    { [first]: { milliseconds: 1000 }, [second]: { milliseconds: 20 } },
    ['a.example.com (a-example-com) was the slowest: 1.0 s, all others together 20.0 ms'],
  ],
  [
    'what was left of the time is too little',
    {
      [first]: { milliseconds: 30_000, timeoutMilliseconds: 30_000, outcome: 'failed-open', failurePhase: 'timeout' },
      [second]: { milliseconds: 4000, timeoutMilliseconds: 4000, outcome: 'failed-closed', failurePhase: 'timeout' },
    },
    [
      'b.example.com (b-example-com) had only 4.0 s of its 10.0 s left: all webhooks of a request share one deadline',
      'a.example.com (a-example-com) was the slowest: 30.0 s, all others together 4.0 s',
    ],
  ],
  [
    'mutating webhooks use up the time of a validating one',
    {
      [first]: { milliseconds: 30_000, timeoutMilliseconds: 30_000, outcome: 'failed-open', failurePhase: 'timeout' },
      [second]: {
        phase: 'validating',
        milliseconds: 4000,
        timeoutMilliseconds: 4000,
        outcome: 'failed-closed',
        failurePhase: 'timeout',
      },
    },
    [
      'b.example.com (b-example-com) had only 4.0 s of its 10.0 s left: all webhooks of a request share one deadline',
      'a.example.com (a-example-com) was the slowest: 30.0 s, all others together 4.0 s',
    ],
  ],
  [
    'its own timeout is too short: no other webhook used it up',
    {
      [second]: {
        milliseconds: 10_000,
        timeoutMilliseconds: 10_000,
        outcome: 'failed-closed',
        failurePhase: 'timeout',
      },
    },
    ['b.example.com (b-example-com) was the slowest: 10.0 s, all others together 0.0 ms'],
  ],
];

test('validating webhooks are called at once: none uses up the time of another one', async () => {
  const late = { phase: 'validating', milliseconds: 4000, timeoutMilliseconds: 4000 } as const;
  const trace = await took({ [first]: late, [second]: { ...late, outcome: 'failed-closed', failurePhase: 'timeout' } });
  expect(findingsOf(trace).filter(({ rule }) => rule === 'time-used-up')).toEqual([]);
});

const ofTime: ReadonlySet<string> = new Set(['near-timeout', 'time-used-up', 'slowest']);

test.each(facts)('%s', async (_fact, times, titles) => {
  const found = findingsOf(await took(times)).filter(({ rule }) => ofTime.has(rule));
  expect(found.map(({ title }) => title)).toEqual(titles);
});
