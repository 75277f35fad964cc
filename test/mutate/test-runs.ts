import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';

/** What a test file came by, and how long it took. */
export interface SeenBy {
  readonly file: string;
  readonly seen: ReadonlySet<number>;
  /** Seen while modules were read, which happens once for many files. */
  readonly seenAtLoad: ReadonlySet<number>;
  readonly milliseconds: number;
}

/** What came by, and the mutants that were noticed at once. */
export interface Watched {
  readonly seenBy: readonly SeenBy[];
  readonly noticed: ReadonlySet<number>;
}

export interface TestRuns {
  /** Runs all these files, if there is time, and every test again with the mutants it comes by. Those that fail are left out. */
  readonly watch: (files: readonly string[], milliseconds: number) => Promise<Watched>;
  /** Does one of these files, one after the other in this order, notice the mutant? What takes too long has noticed. */
  readonly notices: (mutant: number, files: readonly string[], milliseconds: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** What is not over so long after it was told to end never will be: who waits for a worker that died waits for ever. */
const patience = 20_000;

/** Nobody is busy with one mutant for so long. */
const stuckAfter = 120_000;

/**
 * Tests of the copy of the repository in this folder. What has been transformed once stays so: a run costs the start of a
 * process and what the tests do.
 */
export async function testRunsIn(folder: string): Promise<TestRuns> {
  const notes = notesIn(folder);
  let opened = await open(folder);
  /** Begins anew when this does not end. */
  const comesToAnEnd = async (work: Promise<unknown>, milliseconds: number): Promise<boolean> => {
    if (await endsWithin(work, milliseconds)) return true;
    const { vitest } = opened;
    endWorker(notes.process);
    await endsWithin(vitest.close(), patience);
    opened = await open(folder);
    return false;
  };
  const run = async (files: readonly string[], milliseconds: number): Promise<Ran> => {
    rmSync(notes.process, { force: true });
    const { vitest, failures } = opened;
    const specifications = files.flatMap((file) => vitest.getModuleSpecifications(file));
    let cancelling: Promise<unknown> | undefined;
    // The first failure says enough.
    failures.on = () => {
      if (process.env['MUTANT'] !== undefined) cancelling ??= vitest.cancelCurrentRun('test-failure');
    };
    let ran: Ran = { isOver: false, hasFailed: true, passed: new Set() };
    const running = vitest.runTestSpecifications(specifications).then(({ testModules, unhandledErrors }) => {
      // What vitest returns holds the results of earlier runs too.
      const passed = testModules.filter((file) => file.state() === 'passed').map((file) => file.moduleId);
      const hasFailed = cancelling !== undefined || unhandledErrors.length > 0;
      ran = { isOver: true, hasFailed, passed: new Set(passed) };
    });
    if (!(await comesToAnEnd(running, milliseconds))) return ran;
    if (cancelling) await comesToAnEnd(cancelling, patience);
    return ran;
  };
  return {
    watch: (files, milliseconds) => watchWith(notes, run, files, milliseconds),
    async notices(mutant, files, milliseconds) {
      Object.assign(process.env, { MUTANT: String(mutant), MUTANT_PROCESS: notes.process });
      const late = setTimeout(() => endWorker(notes.process), milliseconds);
      const { hasFailed } = await run(files, milliseconds + patience);
      clearTimeout(late);
      return hasFailed;
    },
    close: async () => void (await endsWithin(opened.vitest.close(), patience)),
  };
}

interface Ran {
  /** It has come to an end by itself. */
  readonly isOver: boolean;
  readonly hasFailed: boolean;
  readonly passed: ReadonlySet<string>;
}

type Run = (files: readonly string[], milliseconds: number) => Promise<Ran>;

/** Where workers write down what they do. */
function notesIn(folder: string) {
  const notes = join(folder, 'mutants');
  mkdirSync(notes, { recursive: true });
  return {
    process: join(notes, 'process'),
    seen: join(notes, 'seen'),
    noticed: join(notes, 'noticed'),
    left: join(notes, 'left'),
    now: join(notes, 'now'),
  };
}

type Notes = ReturnType<typeof notesIn>;

async function watchWith(notes: Notes, run: Run, files: readonly string[], milliseconds: number): Promise<Watched> {
  const end = performance.now() + milliseconds;
  const passed = new Set<string>();
  Object.assign(process.env, {
    MUTANTS_SEEN: notes.seen,
    MUTANTS_NOTICED: notes.noticed,
    MUTANTS_LEFT: notes.left,
    MUTANT_NOW: notes.now,
    MUTANT_PROCESS: notes.process,
  });
  for (let left = files; left.length > 0 && performance.now() < end;) {
    const looking = endIfStuck(notes);
    const ran = await run(left, end - performance.now());
    clearInterval(looking);
    const done = new Set(linesOf(notes.seen).map(({ file }) => file));
    for (const file of done) if (ran.passed.has(file)) passed.add(file);
    // With whom the process has ended is left to a process of its own; the others go on from there.
    const mutant = textOf(notes.now);
    if (mutant === '' || mutant === nobody) break;
    appendFileSync(notes.left, `${mutant}\n`);
    rmSync(notes.now);
    left = left.filter((file) => !done.has(file));
  }
  for (const name of ['MUTANTS_SEEN', 'MUTANTS_NOTICED', 'MUTANTS_LEFT', 'MUTANT_NOW']) delete process.env[name];
  const seenBy = linesOf(notes.seen)
    .filter(({ file }) => passed.has(file))
    .map(({ seen, seenAtLoad, ...line }) => ({ ...line, seen: new Set(seen), seenAtLoad: new Set(seenAtLoad) }));
  return { seenBy, noticed: new Set(textOf(notes.noticed).split('\n').filter(Boolean).map(Number)) };
}

const nobody = '-1';

/** Ends a worker that is busy with one mutant and never comes back. */
function endIfStuck({ now, process: worker }: Notes): NodeJS.Timeout {
  let last = '';
  let since = 0;
  return setInterval(() => {
    const mutant = textOf(now);
    if (mutant !== last || mutant === nobody) since = performance.now();
    last = mutant;
    if (mutant !== '' && performance.now() - since > stuckAfter) endWorker(worker);
  }, 5000);
}

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

class InOrder {
  sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }

  shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

interface Opened {
  readonly vitest: Vitest;
  /** Whoever wants to know that a test has failed. */
  readonly failures: { on: () => void };
}

async function open(folder: string): Promise<Opened> {
  const failures: Opened['failures'] = { on: () => {} };
  const vitest = await createVitest('test', {
    root: folder,
    config: false,
    watch: false,
    include: ['test/**/*.test.ts'],
    setupFiles: [join(folder, 'test/mutate/setup.ts')],
    runner: join(folder, 'test/mutate/trying-runner.ts'),
    reporters: [
      {
        onTestCaseResult: (test) => void (test.result().state === 'failed' && failures.on()),
        onTestModuleEnd: (file) => void (file.state() === 'failed' && failures.on()),
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

/** Whether it has ended so soon, well or not. */
async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((say) => (timer = setTimeout(() => say(false), milliseconds)));
  const isOver = await Promise.race([Promise.allSettled([work]).then(() => true), late]);
  clearTimeout(timer);
  return isOver;
}

/** A worker that goes round and round hears nothing else. A note that is being written is empty, and 0 would be everybody. */
function endWorker(note: string): void {
  const worker = Number(textOf(note));
  if (worker > 1) killIfThere(worker);
}

function killIfThere(worker: number): void {
  try {
    process.kill(worker, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

interface Line {
  readonly file: string;
  readonly seen: readonly number[];
  readonly seenAtLoad: readonly number[];
  readonly milliseconds: number;
}

const isLine = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && 'file' in value && 'seen' in value && 'seenAtLoad' in value;

const linesOf = (path: string): readonly Line[] =>
  textOf(path)
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isLine);
