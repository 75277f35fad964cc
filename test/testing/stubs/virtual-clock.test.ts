import { expect, test } from 'vitest';
import { createVirtualClock } from '../../../src/testing/stubs/virtual-clock.ts';

const start = Date.UTC(2026, 0, 1);

/** What each sleeper said when it woke, and when. */
function sleepers(durations: Readonly<Record<string, number>>) {
  const clock = createVirtualClock(start);
  const woken: string[] = [];
  const all = Object.entries(durations).map(async ([name, milliseconds]) => {
    await clock.sleep(milliseconds);
    woken.push(`${name}@${clock.now() - start}`);
  });
  return { clock, woken, all: Promise.all(all) };
}

test('who sleeps shortest wakes first, at its time', async () => {
  const { clock, woken, all } = sleepers({ long: 30_000, short: 1, middle: 500 });
  await clock.drive(all);
  expect(woken).toEqual(['short@1', 'middle@500', 'long@30000']);
});

test('of those due at the same instant the first to sleep wakes first', async () => {
  const { clock, woken, all } = sleepers({ a: 5, b: 5, c: 0, d: 5 });
  await clock.drive(all);
  expect(woken).toEqual(['c@0', 'a@5', 'b@5', 'd@5']);
});

test('what one who wakes goes on to do comes before the next one wakes', async () => {
  const clock = createVirtualClock(start);
  const order: string[] = [];
  const walk = async (name: string): Promise<void> => {
    await clock.sleep(10);
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    order.push(`${name} is done`);
  };
  await clock.drive(Promise.all([walk('first'), walk('second')]));
  expect(order).toEqual(['first is done', 'second is done']);
});

test('time stands still unless something is driven', async () => {
  const { clock, woken } = sleepers({ one: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  expect([clock.now() - start, woken]).toEqual([0, []]);
});

test('time stands still while real work is under way', async () => {
  const { clock, woken } = sleepers({ impatient: 1 });
  const real = clock.hold(new Promise((resolve) => setTimeout(resolve, 20)));
  const heldUntil = real.then(() => clock.now() - start);
  expect(await clock.drive(heldUntil)).toBe(0);
  expect(woken).toEqual([]);
});

test('work that fails holds time no longer', async () => {
  const { clock, woken, all } = sleepers({ patient: 7 });
  const failed = clock.hold(Promise.reject(new Error('gone'))).catch(() => 'failed');
  await clock.drive(all);
  expect([await failed, woken]).toEqual(['failed', ['patient@7']]);
});

test('driven work that waits for something real is waited for', async () => {
  const clock = createVirtualClock(start);
  expect(await clock.drive(new Promise((resolve) => setTimeout(() => resolve('real'), 10)))).toBe('real');
  expect(clock.now()).toBe(start);
});

test('a signal ends a sleep at once', async () => {
  const clock = createVirtualClock(start);
  const stop = new AbortController();
  const sleeping = clock.sleep(1000, stop.signal);
  stop.abort();
  await sleeping;
  await clock.sleep(1000, stop.signal);
  await clock.drive(clock.sleep(1));
  expect(clock.now() - start).toBe(1);
});

test('an advance goes as far as it says and wakes those on the way', async () => {
  const { clock, woken } = sleepers({ early: 10, late: 11, later: 12 });
  await clock.advance(11);
  expect([clock.now() - start, woken]).toEqual([11, ['early@10', 'late@11']]);
  await clock.advance(0.5);
  expect(clock.now() - start).toBe(11.5);
});

test('an advance wakes those who go to sleep meanwhile', async () => {
  const clock = createVirtualClock(start);
  let ticks = 0;
  void (async () => {
    for (;;) {
      await clock.sleep(1000);
      ticks += 1;
    }
  })();
  await clock.advance(60_000);
  expect(ticks).toBe(60);
});
