import { expect, test } from 'vitest';
import {
  apartInTurns,
  flatMapInTurns,
  forEachInTurns,
  inTurns,
  mapInTurns,
  onceInTurns,
} from '../../src/apimachinery/in-turns.ts';
import { partsInTurns } from '../../src/apimachinery/parts-in-turns.ts';
import { noPause } from '../../src/apimachinery/pause.ts';
import type { Pause } from '../../src/apimachinery/pause.ts';
import { createSeen } from '../../src/apimachinery/seen.ts';

const numbers = (length: number): readonly number[] => Array.from({ length }, (_none, at) => at);

/** Every look at the clock finds it `step` milliseconds later; every question is answered with a promise. */
function clockOf(step: number): Pause & { readonly asked: () => number } {
  let now = 0;
  let asked = 0;
  const pause = (): Promise<void> => {
    asked += 1;
    return Promise.resolve();
  };
  return Object.assign(pause, { now: () => (now += step), asked: () => asked });
}

test('work without a clock, and work that is short, is done at once', () => {
  expect(inTurns(() => mapInTurns(numbers(100), String).length, noPause)).toBe(100);
  expect(inTurns(() => 1, undefined)).toBe(1);
  expect(
    inTurns(
      () => 2,
      Object.assign(() => undefined, { now: () => 0 }),
    ),
  ).toBe(2);
});

test.each([
  [31, 0, 1, 'is short'],
  [32, 100, 32, 'is long'],
  [100, 100, 100, 'is left after each'],
  [100, 3, 50, 'is left when enough is done'],
  [100, 0, 1, 'has time'],
])('a list of %i with steps of %i ms is begun %i times: it %s', async (length, step, times) => {
  const pause = clockOf(step);
  const done: number[] = [];
  let begun = 0;
  const work = (): readonly number[] => {
    begun += 1;
    return mapInTurns(numbers(length), (item) => done.push(item));
  };
  expect(await inTurns(work, pause)).toHaveLength(length);
  expect(done).toEqual(numbers(length));
  expect([begun, pause.asked()]).toEqual([times, times]);
});

test.each([
  [31, 1, 0, 'is done at once'],
  [32, 33, 32, 'is begun like any other where a long list comes'],
])(
  'work on little with a list of %i is begun %i times, and %i times others are let in: it %s',
  async (length, ...times) => {
    const pause = clockOf(100);
    let begun = 0;
    const work = (): readonly number[] => {
      begun += 1;
      return mapInTurns(numbers(length), (item) => item);
    };
    expect(await inTurns(work, Object.assign(pause, { isOfLittle: true }))).toEqual(numbers(length));
    expect([begun, pause.asked()]).toEqual(times.slice(0, 2));
  },
);

test('of work on little nothing is kept that was left', async () => {
  const pause = Object.assign(clockOf(100), { isOfLittle: true });
  const long = (): readonly number[] => mapInTurns(numbers(40), (item) => item);
  const works: [string, () => unknown][] = [
    ['a step', () => [onceInTurns(() => 1), long().length]],
    ['apart', () => [apartInTurns('a', () => 1), apartInTurns('a', long).length]],
    ['parts', () => [partsInTurns()({}, () => 1), long().length]],
    ['kept', () => [createSeen().isRepeated('a', 'here'), long().length]],
  ];
  for (const [what, work] of works) {
    expect([what, await inTurns(work, pause)]).toEqual([what, work()]);
  }
});

test('a list in a list goes on where it was left, and what was done stays done', async () => {
  const done: string[] = [];
  const inner = (outer: number): number => mapInTurns(numbers(40), (item) => done.push(`${outer}/${item}`)).length;
  const lengths = await inTurns(() => mapInTurns(numbers(40), inner), clockOf(100));
  expect(lengths).toEqual(numbers(40).map(() => 40));
  expect(done).toEqual(numbers(40).flatMap((outer) => numbers(40).map((item) => `${outer}/${item}`)));
});

test('a round that is false is the last one, also when the rest is begun again', async () => {
  const work = (): readonly number[] => {
    const start = (): number[] => [];
    const some = forEachInTurns(numbers(100), start, (so, item) => so.push(item) < 50);
    return [...some, ...flatMapInTurns(numbers(60), (item) => [item])];
  };
  expect(await inTurns(work, clockOf(100))).toEqual(work());
});

test('a long step is done once', async () => {
  let steps = 0;
  const step = (): number => (steps += 1);
  const work = (): number => onceInTurns(step) + onceInTurns(step) + mapInTurns(numbers(100), String).length;
  expect(await inTurns(work, clockOf(100))).toBe(103);
  expect(steps).toBe(2);
});

test('what is thrown reaches the caller, and what follows starts afresh', async () => {
  const failing = (): never => {
    mapInTurns(numbers(100), String);
    throw new RangeError('too deep');
  };
  await expect((async () => inTurns(failing, clockOf(100)))()).rejects.toThrow('too deep');
  expect(await inTurns(() => mapInTurns(numbers(100), String).length, clockOf(100))).toBe(100);
});

test('what is kept by others, and so not done again, does not change places with what comes after it', async () => {
  const cache = new Map<string, readonly string[]>();
  const work = (): readonly string[] => {
    const made = (name: string): readonly string[] => {
      const known = cache.get(name) ?? apartInTurns(name, () => mapInTurns(numbers(40), (at) => `${name}${at}`));
      cache.set(name, known);
      return known;
    };
    return ['a', 'b', 'c'].flatMap(made);
  };
  const slow = await inTurns(work, clockOf(100));
  expect(slow).toEqual(['a', 'b', 'c'].flatMap((name) => numbers(40).map((at) => `${name}${at}`)));
});

test('a fault in one list that is caught does not disturb the next', async () => {
  const work = (): readonly string[] => {
    try {
      mapInTurns(numbers(40), () => mapInTurns(numbers(40), () => { throw new RangeError('too deep'); })); // oxfmt-ignore
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    return mapInTurns(numbers(70), String);
  };
  expect(await inTurns(work, clockOf(100))).toEqual(numbers(70).map(String));
});

test('texts that stand twice are found as if nobody had waited, in short lists too', async () => {
  const repeats = (texts: readonly string[]): readonly boolean[] => {
    const seen = createSeen(() => ['known']);
    return mapInTurns(texts, (text, at) => {
      const isRepeated = seen.isRepeated(text, `[${at}]`);
      mapInTurns(numbers(40), String);
      return isRepeated;
    });
  };
  const short = ['a', 'b', 'a', 'known'];
  const long = numbers(50).map((at) => `n${at % 45}`);
  const work = (): readonly (readonly boolean[])[] => [repeats(short), repeats(long), repeats(short)];
  const [first, second] = await inTurns(work, clockOf(100));
  expect(first).toEqual([false, false, true, true]);
  expect(second?.flatMap((is, at) => (is ? [at] : []))).toEqual([45, 46, 47, 48, 49]);
});

// A list of 20,000 ones in an expression took minutes: each turn went through what was there, and came to one part more.
test.each([
  ['by itself', (work: () => number) => work()],
  ['apart', (work: () => number) => apartInTurns('key', work)],
  ['in a round', (work: () => number) => onceInTurns(work)],
  ['apart in a round', (work: () => number) => onceInTurns(() => apartInTurns('key', work))],
])('a turn comes to more than a part, however long it takes to come there: %s', async (_where, placed) => {
  const parts = numbers(1000).map((at) => ({ at }));
  let now = 0;
  let turns = 0;
  const pause = Object.assign(() => void (turns += 1), { now: () => now });
  const work = (): number => {
    const doPart = partsInTurns();
    for (const part of parts) {
      now += 0.1;
      doPart(part, () => part.at);
    }
    return parts.length;
  };
  expect(await inTurns(() => placed(work), pause)).toBe(1000);
  expect(turns).toBeLessThan(40);
});
