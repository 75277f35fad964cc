import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { beginTurn, breathe, createPause, inTime, pause } from '../../src/http/pause.ts';

test('whoever comes late in a turn of the loop waits for the next one, however little it has done itself', async () => {
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1007);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1008);
  const [first, second] = [pause(), pause()];
  expect(first).toBeInstanceOf(Promise);
  expect(second).toBeInstanceOf(Promise);
  await first;
  expect(pause()).toBeUndefined();
  await second;
  await setImmediate();
  clock.mockReturnValue(5000);
  expect(pause()).toBeUndefined();
  await setImmediate();
  clock.mockRestore();
});

test('what is done between a pause and the next question counts: two long steps are two turns', async () => {
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1020);
  await pause();
  clock.mockReturnValue(1027);
  expect(pause()).toBeUndefined();
  clock.mockReturnValue(1028);
  expect(pause()).toBeInstanceOf(Promise);
  await setImmediate();
  await setImmediate();
  clock.mockRestore();
});

test('a turn begins where somebody says so, before the first question', async () => {
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  beginTurn();
  clock.mockReturnValue(1007);
  beginTurn();
  clock.mockReturnValue(1008);
  expect(pause()).toBeInstanceOf(Promise);
  await setImmediate();
  await setImmediate();
  clock.mockRestore();
});

test('of many who wait as many go on in each turn as there is time for, and who had a turn does not keep who had none', async () => {
  await setImmediate();
  const clock = vi.spyOn(performance, 'now');
  let now = 1000;
  clock.mockImplementation(() => now);
  const went: string[] = [];
  const wait = (who: string, turn: Promise<void> | undefined): void =>
    void turn?.then(() => {
      now += 3;
      went.push(who);
    });
  beginTurn();
  now += 8;
  const early = createPause();
  await early();
  now += 8;
  for (const at of [1, 2, 3, 4]) wait(`breath ${at}`, breathe());
  wait('a second time', early());
  for (const at of [1, 2, 3, 4]) wait(`first ${at}`, createPause()());
  const turns: string[][] = [];
  while (went.length < 9) {
    const before = went.length;
    await setImmediate();
    turns.push(went.slice(before));
  }
  const [one = [], two = [], three = [], ...none] = turns.filter((turn) => turn.length > 0);
  // Whose turn comes first is a matter of whose was last.
  expect(new Set([one.join(), two.join()])).toEqual(new Set(['breath 1,breath 2,breath 3', 'first 1,first 2,first 3']));
  expect(new Set(three)).toEqual(new Set(['breath 4', 'a second time', 'first 4']));
  expect(three.indexOf('a second time')).toBeGreaterThan(three.indexOf('breath 4'));
  expect(none).toEqual([]);
  clock.mockRestore();
});

/** Resolves when a request that takes so many milliseconds is answered. */
type Ask = (takes: number) => Promise<void>;

/** A clock that only moves with the work that is done. */
async function atWork(work: (now: () => number, ask: Ask) => Promise<void>): Promise<void> {
  await setImmediate();
  const clock = vi.spyOn(performance, 'now');
  let now = 1000;
  clock.mockImplementation(() => now);
  const answer = async (takes: number): Promise<void> => {
    const pause = createPause();
    for (let step = 0; step < 4 * takes; step += 1) {
      now += 0.25;
      await pause();
    }
  };
  // As with Node: requests come in callbacks of their own, who listens is told at once, and the body is there a tick later.
  const ask: Ask = async (takes) => {
    await setImmediate();
    await new Promise<void>((done) => inTime(() => process.nextTick(() => void answer(takes).then(done))));
  };
  await work(() => now, ask);
  await setImmediate();
  clock.mockRestore();
}

test('of sixteen clients that ask again and again nobody waits three times as long as the half', async () => {
  await atWork(async (now, ask) => {
    const took: number[] = [];
    const client = async (): Promise<void> => {
      for (let request = 0; request < 30; request += 1) {
        const sentAt = now();
        await ask(1.5);
        took.push(now() - sentAt);
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    took.sort((one, other) => one - other);
    const [half = 0, last = 0] = [took[took.length / 2], took.at(-1)];
    expect(half).toBeGreaterThan(15);
    expect(last / half).toBeLessThan(3);
  });
});

test('who asks for little does not wait until those are answered who came before and ask for much', async () => {
  await atWork(async (now, ask) => {
    const ended: string[] = [];
    const much = Array.from({ length: 16 }, (_, at) => ask(6).then(() => ended.push(`much ${at}`)));
    const sentAt = now();
    await ask(0.25);
    expect(now() - sentAt).toBeLessThan(25);
    expect(ended.length).toBeLessThan(3);
    await Promise.all(much);
  });
});

test('what takes less than a turn and is interrupted goes on before others that wait', async () => {
  await atWork(async (_now, ask) => {
    const ended: number[] = [];
    await Promise.all([0, 1, 2, 3, 4, 5].map((which) => ask(5).then(() => ended.push(which))));
    expect(ended).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

test('to wait for somebody else is no work: who did goes on before those that take long', async () => {
  await setImmediate();
  const clock = vi.spyOn(performance, 'now');
  let now = 1000;
  clock.mockImplementation(() => now);
  const went: string[] = [];
  const goOn = (who: string): void => {
    now += 8;
    went.push(who);
  };
  beginTurn();
  const waited = createPause();
  await setImmediate();
  now += 1;
  beginTurn();
  now += 16;
  const breaths = [1, 2, 3].map((which) => breathe().then(() => goOn(`breath ${which}`)));
  const turn = waited();
  expect(turn).toBeInstanceOf(Promise);
  await Promise.all([...breaths, turn?.then(() => goOn('who waited'))]);
  expect(went.indexOf('who waited')).toBeLessThan(2);
  await setImmediate();
  clock.mockRestore();
});

test('what is begun in a turn of its own and throws keeps nobody behind it', async () => {
  await setImmediate();
  const clock = vi.spyOn(performance, 'now');
  clock.mockReturnValue(1000);
  beginTurn();
  clock.mockReturnValue(1008);
  const thrown: unknown[] = [];
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.once('uncaughtException', (error) => thrown.push(error));
  const began: number[] = [];
  inTime(() => {
    throw new Error('one of them');
  });
  for (const which of [1, 2]) inTime(() => began.push(which));
  await setImmediate();
  await setImmediate();
  for (const listener of listeners) process.on('uncaughtException', listener);
  expect(thrown).toHaveLength(1);
  expect(began).toEqual([1, 2]);
  clock.mockRestore();
});

test('what comes at once is begun in turns, in its order, and what is begun meanwhile comes after it', async () => {
  await setImmediate();
  const clock = vi.spyOn(performance, 'now');
  let now = 1000;
  clock.mockImplementation(() => now);
  const began: number[] = [];
  const begin = (which: number): void =>
    inTime(() => {
      now += 3;
      began.push(which);
      if (which === 4) begin(7);
    });
  for (let which = 1; which <= 6; which += 1) begin(which);
  expect(began).toEqual([1, 2, 3]);
  await setImmediate();
  expect(began).toEqual([1, 2, 3, 4, 5, 6]);
  await setImmediate();
  expect(began).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await setImmediate();
  clock.mockRestore();
});
