// Runs each test once without a mutant and then, in the same process, once for each mutant that it covered.
// A mutant is killed when the test fails with it, and passes without it before and afterwards.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type RunnerTestCase, TestRunner } from 'vitest';
import { getFn } from 'vitest/suite';
import { maxHits, mutantState } from './mutant-state.ts';

const killedFile = process.env['MUTANTS_KILLED'];
const activeFile = process.env['MUTANT_ACTIVE'];

/** Limits of one mutant: tests, processor time in all, and processor time of one test. Slower tests run without mutants. */
const limits = { tests: 200, milliseconds: 2000, ofTest: 100 } as const;
/** Enough for a test that is quick without a mutant. */
const maxHitsOfTest = maxHits / 20;

interface Spent {
  tests: number;
  milliseconds: number;
}

const spent = new Map<number, Spent>();
const readNumbers = (path: string | undefined): readonly number[] =>
  path !== undefined && existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean).map(Number) : [];

/** Killed before, or skipped because an earlier process did not survive them. */
const done = new Set<number>([...readNumbers(killedFile), ...readNumbers(process.env['MUTANTS_SKIPPED'])]);

// Tests replace the timers of the process.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

type TestBody = () => unknown;

const noMutant = -1;

/** Whether the test fails or exceeds `timeout` with this mutant. */
async function fails(body: TestBody, mutant: number, timeout: number): Promise<boolean> {
  Object.assign(mutantState, { active: mutant, hitsLeft: maxHitsOfTest });
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<boolean>((resolve) => (timer = startTimer(() => resolve(true), timeout)));
  const running = (async () => body())().then(
    () => false,
    () => true,
  );
  const hasFailed = await Promise.race([running, timedOut]);
  stopTimer(timer);
  mutantState.active = noMutant;
  return hasFailed;
}

async function runMutants(body: TestBody, mutants: readonly number[], timeout: number): Promise<void> {
  if (killedFile === undefined || activeFile === undefined || (await fails(body, noMutant, timeout))) return;
  for (const mutant of mutants) {
    const sum = spent.get(mutant) ?? { tests: 0, milliseconds: 0 };
    spent.set(mutant, sum);
    // The parent ends this process when the mutant causes an infinite loop, and reads here which mutant it was.
    writeFileSync(activeFile, String(mutant));
    const begun = processorTime();
    const hasFailed = await fails(body, mutant, timeout);
    sum.tests += 1;
    sum.milliseconds += processorTime() - begun;
    writeFileSync(activeFile, String(noMutant));
    if (!hasFailed) continue;
    // A failure that an earlier mutant caused does not count.
    if (await fails(body, noMutant, timeout)) return;
    done.add(mutant);
    appendFileSync(killedFile, `${mutant}\n`);
  }
}

const isWithinLimits = (mutant: number): boolean => {
  const { tests, milliseconds } = spent.get(mutant) ?? { tests: 0, milliseconds: 0 };
  return !done.has(mutant) && tests < limits.tests && milliseconds < limits.milliseconds;
};

export default class MutationRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const body: TestBody = getFn(test);
    mutantState.coveredByTest.clear();
    const [begun, begunAt] = [processorTime(), performance.now()];
    await body();
    const took = performance.now() - begunAt;
    mutantState.milliseconds += took;
    if (killedFile === undefined || processorTime() - begun > limits.ofTest) return;
    const mutants = [...mutantState.coveredByTest].filter(isWithinLimits);
    if (mutants.length > 0) await runMutants(body, mutants, 5000 + 20 * took);
  }
}
