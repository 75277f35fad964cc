import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** What a test file came by, and how long it took. */
export interface SeenBy {
  readonly file: string;
  readonly seen: ReadonlySet<number>;
  /** Seen while modules were read, which happens once for many files. */
  readonly seenAtLoad: ReadonlySet<number>;
  readonly milliseconds: number;
}

export interface TestRuns {
  /** Runs all these files, if there is time. Those that fail before anything is changed are left out. */
  readonly watch: (files: readonly string[], milliseconds: number) => Promise<readonly SeenBy[]>;
  /** Does one of these files, one after the other in this order, notice the mutant? What takes too long has noticed. */
  readonly notices: (mutant: number, files: readonly string[], milliseconds: number) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

class InOrder {
  sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }

  shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files);
  }
}

/**
 * Tests of the copy of the repository in this folder. What has been transformed once stays so: a run costs the start of a
 * process and what the tests do.
 */
export async function testRunsIn(folder: string): Promise<TestRuns> {
  const notes = join(folder, 'mutants');
  mkdirSync(notes, { recursive: true });
  let onFailure = (): void => {};
  const vitest = await createVitest('test', {
    root: folder,
    config: false,
    watch: false,
    include: ['test/**/*.test.ts'],
    setupFiles: [join(folder, 'test/mutate/setup.ts')],
    reporters: [
      {
        onTestCaseResult: (test) => void (test.result().state === 'failed' && onFailure()),
        onTestModuleEnd: (file) => void (file.state() === 'failed' && onFailure()),
      },
    ],
    testTimeout: 20_000,
    cache: false,
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    sequence: { sequencer: InOrder },
  });
  await vitest.globTestSpecifications();
  const specificationsOf = (files: readonly string[]): TestSpecification[] =>
    files.flatMap((file) => vitest.getModuleSpecifications(file));
  return {
    async watch(files, milliseconds) {
      const seenFile = join(notes, 'seen');
      process.env['MUTANTS_SEEN'] = seenFile;
      const late = setTimeout(() => void vitest.cancelCurrentRun('keyboard-input'), milliseconds);
      const run = await vitest.runTestSpecifications(specificationsOf(files));
      clearTimeout(late);
      delete process.env['MUTANTS_SEEN'];
      const passed = new Map(
        run.testModules
          .filter((file) => file.state() === 'passed')
          .map((file) => [file.moduleId, file.diagnostic().duration]),
      );
      return linesOf(seenFile).flatMap(({ file, seen, seenAtLoad }) => {
        const took = passed.get(file);
        if (took === undefined) return [];
        return [{ file, seen: new Set(seen), seenAtLoad: new Set(seenAtLoad), milliseconds: took }];
      });
    },
    async notices(mutant, files, milliseconds) {
      const worker = join(notes, 'process');
      rmSync(worker, { force: true });
      Object.assign(process.env, { MUTANT: String(mutant), MUTANT_PROCESS: worker });
      const late = setTimeout(() => endWorker(worker), milliseconds);
      // What vitest returns holds the results of earlier runs too. The first failure says enough.
      let hasFailed = false;
      onFailure = () => {
        if (!hasFailed) void vitest.cancelCurrentRun('test-failure');
        hasFailed = true;
      };
      const run = await vitest.runTestSpecifications(specificationsOf(files));
      clearTimeout(late);
      return hasFailed || run.unhandledErrors.length > 0;
    },
    close: () => vitest.close(),
  };
}

/** A worker that goes round and round hears nothing else. A note that is being written is empty, and 0 would be everybody. */
function endWorker(note: string): void {
  const worker = existsSync(note) ? Number(readFileSync(note, 'utf8')) : 0;
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
}

const isLine = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && 'file' in value && 'seen' in value && 'seenAtLoad' in value;

const linesOf = (path: string): readonly Line[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
    .filter(isLine);
