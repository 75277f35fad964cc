import { expect, test } from 'vitest';
import { ok, refuse, type Result } from '../../src/machinery/meta/result.ts';
import { conflict, internalError } from '../../src/machinery/meta/status.ts';
import { createWorkQueue, type WorkQueue } from '../../src/controllers/work-queue.ts';
import { createManualClock } from './manual-clock.ts';

const lostRace = conflict({ group: '', resource: 'pods' }, 'p', 'changed');

interface Bench {
  readonly queue: WorkQueue<string>;
  /** What was worked on so far. */
  readonly done: readonly string[];
  readonly pass: (milliseconds: number) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A queue whose work answers from the list, then always with success. */
function bench(answers: readonly (Result<undefined> | 'throw')[] = []): Bench {
  const clock = createManualClock();
  const stop = new AbortController();
  const left = [...answers];
  const done: string[] = [];
  const work = async (item: string): Promise<Result<undefined>> => {
    await Promise.resolve();
    done.push(item);
    const answer = left.shift() ?? ok(undefined);
    if (answer === 'throw') throw new Error('a bug');
    return answer;
  };
  const queue = createWorkQueue((item) => item, work, { clock, signal: stop.signal, onBug: () => done.push('bug') });
  return {
    queue,
    done,
    pass: async (milliseconds) => {
      clock.pass(milliseconds);
      await new Promise((resolve) => setImmediate(resolve));
    },
    close: async () => {
      stop.abort();
      await queue.progress.whenEnded();
    },
  };
}

test.each<[string, (on: Bench) => unknown, readonly string[]]>([
  ['what is asked for twice is done once', ({ queue }) => (queue.add('a'), queue.add('b'), queue.add('a')), ['a', 'b']],
  [
    'what is asked for again while it is worked on is done again',
    async ({ queue }) => {
      queue.add('a');
      await Promise.resolve();
      await Promise.resolve();
      queue.add('a');
    },
    ['a', 'a'],
  ],
  ['what is put off waits', ({ queue }) => queue.addAfter('a', 1000), []],
  [
    'until its time has come',
    async ({ queue, pass }) => {
      queue.addAfter('a', 1000);
      await pass(1000);
    },
    ['a'],
  ],
  [
    'the earlier time counts, once',
    async ({ queue, pass }) => {
      queue.addAfter('a', 1000);
      queue.addAfter('a', 500);
      queue.addAfter('a', 2000);
      await pass(500);
      await pass(5000);
    },
    ['a'],
  ],
])('%s', async (_sentence, act, done) => {
  const on = bench();
  await act(on);
  await on.queue.progress.whenIdle();
  expect(on.done).toEqual(done);
  await on.close();
});

test.each<[string, readonly (Result<undefined> | 'throw')[], number, readonly string[]]>([
  ['a lost race is run again at once', [refuse(lostRace)], 0, ['a', 'a']],
  ['another refusal waits', [refuse(internalError('x'))], 0, ['a']],
  ['five milliseconds at first', [refuse(internalError('x'))], 5, ['a', 'a']],
  ['a bug is reported and retried', ['throw'], 5, ['a', 'bug', 'a']],
])('%s', async (_sentence, answers, milliseconds, done) => {
  const on = bench(answers);
  on.queue.add('a');
  await on.queue.progress.whenIdle();
  await on.pass(milliseconds);
  expect(on.done).toEqual(done);
  await on.close();
});

test('an item that is asked for while it waits after a refusal has one more attempt coming, the earlier', async () => {
  const on = bench([refuse(internalError('x')), refuse(internalError('x'))]);
  on.queue.add('a');
  await on.queue.progress.whenIdle();
  on.queue.add('a');
  await on.queue.progress.whenIdle();
  await on.pass(5);
  await on.pass(1000);
  expect(on.done).toEqual(['a', 'a', 'a']);
  await on.close();
});

test('nothing begins after the end, and nothing is left of what waited', async () => {
  const on = bench();
  on.queue.addAfter('a', 1000);
  await on.close();
  on.queue.add('b');
  await on.pass(2000);
  expect(on.done).toEqual([]);
});
