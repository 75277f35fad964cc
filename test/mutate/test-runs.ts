import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';

/** What a test file covers, and how long it takes. */
export interface FileCoverage {
  readonly file: string;
  readonly covered: ReadonlySet<number>;
  /** Covered while modules were loaded, which happens once for many files. */
  readonly coveredAtLoad: ReadonlySet<number>;
  readonly milliseconds: number;
}

export interface MeasuredCoverage {
  /** Of the files that pass without a mutant. */
  readonly coverage: readonly FileCoverage[];
  /** The mutants that were killed in this run already. */
  readonly killed: ReadonlySet<number>;
}

export interface TestRuns {
  /** Runs these files as far as the time allows, and every test again with the mutants that it covers. */
  readonly measureCoverage: (files: readonly string[], milliseconds: number) => Promise<MeasuredCoverage>;
  /** Whether one of these files, run in this order, kills the mutant. A timeout kills it as well. */
  readonly kills: (mutant: number, files: readonly string[], timeout: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** Vitest waits forever for a worker that died: after this time it is closed and opened again. */
const gracePeriod = 20_000;

/** One mutant never takes so long unless it causes an infinite loop. */
const stuckAfter = 120_000;

/** Opens vitest on this copy of the repository. Modules are transformed once: a run costs a process and its tests. */
export async function openTestRuns(folder: string): Promise<TestRuns> {
  const files = createExchangeFiles(folder);
  let runner = await openRunner(folder);
  /** Whether the work ends in time; opens vitest again if not. */
  const finishes = async (work: Promise<unknown>, milliseconds: number): Promise<boolean> => {
    if (await endsWithin(work, milliseconds)) return true;
    const { vitest } = runner;
    killWorker(files.process);
    await endsWithin(vitest.close(), gracePeriod);
    runner = await openRunner(folder);
    return false;
  };
  const run = async (tests: readonly string[], milliseconds: number): Promise<RunResult> => {
    rmSync(files.process, { force: true });
    const { vitest, failures } = runner;
    const specifications = tests.flatMap((test) => vitest.getModuleSpecifications(test));
    let cancelling: Promise<unknown> | undefined;
    // The first failure kills the mutant.
    failures.onFailure = () => {
      if (process.env['MUTANT'] !== undefined) cancelling ??= vitest.cancelCurrentRun('test-failure');
    };
    let result: RunResult = { hasFailed: true, passed: new Set() };
    const running = vitest.runTestSpecifications(specifications).then(({ testModules, unhandledErrors }) => {
      // The result of vitest includes earlier runs.
      const passed = testModules.filter((file) => file.state() === 'passed').map((file) => file.moduleId);
      const hasFailed = cancelling !== undefined || unhandledErrors.length > 0;
      result = { hasFailed, passed: new Set(passed) };
    });
    if (!(await finishes(running, milliseconds))) return result;
    if (cancelling) await finishes(cancelling, gracePeriod);
    return result;
  };
  return {
    measureCoverage: (tests, milliseconds) => measureCoverage(files, run, tests, milliseconds),
    async kills(mutant, tests, timeout) {
      Object.assign(process.env, { MUTANT: String(mutant), MUTANT_PROCESS: files.process });
      const timer = setTimeout(() => killWorker(files.process), timeout);
      const { hasFailed } = await run(tests, timeout + gracePeriod);
      clearTimeout(timer);
      return hasFailed;
    },
    close: async () => void (await endsWithin(runner.vitest.close(), gracePeriod)),
  };
}

interface RunResult {
  readonly hasFailed: boolean;
  readonly passed: ReadonlySet<string>;
}

type Run = (tests: readonly string[], milliseconds: number) => Promise<RunResult>;

/** Files that workers write, for this process and for the workers after them. */
function createExchangeFiles(folder: string) {
  const exchange = join(folder, 'mutants');
  mkdirSync(exchange, { recursive: true });
  return {
    process: join(exchange, 'process'),
    covered: join(exchange, 'covered'),
    killed: join(exchange, 'killed'),
    skipped: join(exchange, 'skipped'),
    active: join(exchange, 'active'),
  };
}

type ExchangeFiles = ReturnType<typeof createExchangeFiles>;

async function measureCoverage(
  files: ExchangeFiles,
  run: Run,
  tests: readonly string[],
  milliseconds: number,
): Promise<MeasuredCoverage> {
  const end = performance.now() + milliseconds;
  const passed = new Set<string>();
  const environment = {
    MUTANTS_COVERED: files.covered,
    MUTANTS_KILLED: files.killed,
    MUTANTS_SKIPPED: files.skipped,
    MUTANT_ACTIVE: files.active,
  };
  Object.assign(process.env, { ...environment, MUTANT_PROCESS: files.process });
  for (let remaining = tests; remaining.length > 0 && performance.now() < end;) {
    const watchdog = killIfStuck(files);
    const result = await run(remaining, end - performance.now());
    clearInterval(watchdog);
    const done = new Set(readCoverage(files.covered).map(({ file }) => file));
    for (const file of done) if (result.passed.has(file)) passed.add(file);
    // A mutant that ended the process gets a process of its own later; the other files continue without it.
    const mutant = readText(files.active);
    if (mutant === '' || mutant === noMutant) break;
    appendFileSync(files.skipped, `${mutant}\n`);
    rmSync(files.active);
    remaining = remaining.filter((file) => !done.has(file));
  }
  for (const name of Object.keys(environment)) delete process.env[name];
  const coverage = readCoverage(files.covered)
    .filter(({ file }) => passed.has(file))
    .map((line) => ({ ...line, covered: new Set(line.covered), coveredAtLoad: new Set(line.coveredAtLoad) }));
  return { coverage, killed: new Set(readText(files.killed).split('\n').filter(Boolean).map(Number)) };
}

const noMutant = '-1';

/** Kills a worker that runs one mutant for too long. */
function killIfStuck({ active, process: worker }: ExchangeFiles): NodeJS.Timeout {
  let last = '';
  let since = 0;
  return setInterval(() => {
    const mutant = readText(active);
    if (mutant !== last || mutant === noMutant) since = performance.now();
    last = mutant;
    if (mutant !== '' && performance.now() - since > stuckAfter) killWorker(worker);
  }, 5000);
}

const readText = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

class InOrder {
  sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }

  shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

interface Runner {
  readonly vitest: Vitest;
  readonly failures: { onFailure: () => void };
}

async function openRunner(folder: string): Promise<Runner> {
  const failures: Runner['failures'] = { onFailure: () => {} };
  const vitest = await createVitest('test', {
    root: folder,
    config: false,
    watch: false,
    include: ['test/**/*.test.ts'],
    setupFiles: [join(folder, 'test/mutate/setup.ts')],
    runner: join(folder, 'test/mutate/mutation-runner.ts'),
    reporters: [
      {
        onTestCaseResult: (test) => void (test.result().state === 'failed' && failures.onFailure()),
        onTestModuleEnd: (file) => void (file.state() === 'failed' && failures.onFailure()),
      },
    ],
    testTimeout: 20_000,
    cache: false,
    isolate: false,
    pool: 'forks',
    execArgv: ['--no-warnings'],
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
  });
  await vitest.globTestSpecifications();
  return { vitest, failures };
}

/** Whether the work is settled in time. */
async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), milliseconds)));
  const isOver = await Promise.race([Promise.allSettled([work]).then(() => true), timedOut]);
  clearTimeout(timer);
  return isOver;
}

/** SIGKILL, since an infinite loop handles no other signal. The file may be empty while it is written; kill(0) would reach all. */
function killWorker(processFile: string): void {
  const worker = Number(readText(processFile));
  if (worker <= 1) return;
  try {
    process.kill(worker, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

interface CoverageLine {
  readonly file: string;
  readonly covered: readonly number[];
  readonly coveredAtLoad: readonly number[];
  readonly milliseconds: number;
}

const isCoverageLine = (value: unknown): value is CoverageLine =>
  typeof value === 'object' && value !== null && 'file' in value && 'covered' in value && 'coveredAtLoad' in value;

const readCoverage = (path: string): readonly CoverageLine[] =>
  readText(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isCoverageLine);
