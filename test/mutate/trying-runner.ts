// Runs each test once as it is, and then, in the process that has everything open, once more for each mutant that it came by.
// A mutant is noticed when the test fails with it, and passes without it before and afterwards.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type RunnerTestCase, TestRunner } from 'vitest';
import { getFn } from 'vitest/suite';
import { maxTurns, mutantsHere } from './mutants-here.ts';

const log = process.env['MUTANTS_NOTICED'];
const now = process.env['MUTANT_NOW'];

/** A mutant is given to so many tests, and about so many milliseconds of the processor. What takes longer is no test for many mutants. */
const most = { tests: 200, milliseconds: 2000, ofTest: 100 } as const;
/** So many turns are enough for a test that does not take long. */
const turnsOfTest = maxTurns / 20;

interface Spent {
  tests: number;
  milliseconds: number;
}

const spent = new Map<number, Spent>();
const numbersIn = (path: string | undefined): readonly number[] =>
  path !== undefined && existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number) : [];

/** Noticed before, or with an end to the process that was here before this one. */
const done = new Set<number>([...numbersIn(log), ...numbersIn(process.env['MUTANTS_LEFT'])]);

const { setTimeout: later, clearTimeout: notLater } = globalThis;
const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

type Act = () => unknown;

/** Whether it fails, or does not come to an end, with this mutant switched on. */
async function fails(act: Act, mutant: number, patience: number): Promise<boolean> {
  Object.assign(mutantsHere, { active: mutant, turnsLeft: turnsOfTest });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((say) => (timer = later(() => say(true), patience)));
  const acting = (async () => act())().then(
    () => false,
    () => true,
  );
  const hasFailed = await Promise.race([acting, late]);
  notLater(timer);
  mutantsHere.active = -1;
  return hasFailed;
}

const nobody = -1;

async function tryEach(act: Act, mutants: readonly number[], patience: number): Promise<void> {
  if (log === undefined || now === undefined || (await fails(act, nobody, patience))) return;
  for (const mutant of mutants) {
    const sum = spent.get(mutant) ?? { tests: 0, milliseconds: 0 };
    spent.set(mutant, sum);
    // Whoever ends this process because it goes round and round knows by whom.
    writeFileSync(now, String(mutant));
    const begun = processorTime();
    const hasFailed = await fails(act, mutant, patience);
    sum.tests += 1;
    sum.milliseconds += processorTime() - begun;
    writeFileSync(now, String(nobody));
    if (!hasFailed) continue;
    // What was left behind by others is no notice of this one.
    if (await fails(act, nobody, patience)) return;
    done.add(mutant);
    appendFileSync(log, `${mutant}\n`);
  }
}

const canTry = (mutant: number): boolean => {
  const { tests, milliseconds } = spent.get(mutant) ?? { tests: 0, milliseconds: 0 };
  return !done.has(mutant) && tests < most.tests && milliseconds < most.milliseconds;
};

export default class TryingRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const act: Act = getFn(test);
    mutantsHere.seenNow.clear();
    const [begun, begunAt] = [processorTime(), performance.now()];
    await act();
    const took = performance.now() - begunAt;
    mutantsHere.milliseconds += took;
    if (log === undefined || processorTime() - begun > most.ofTest) return;
    const mutants = [...mutantsHere.seenNow].filter(canTry);
    if (mutants.length > 0) await tryEach(act, mutants, 5000 + 20 * took);
  }
}
