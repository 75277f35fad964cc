// npm run mutate [-- --sample N] [--seconds N] [--seed N] [--folder NAME]...: mutates the source, one position at a time, in
// a copy, and checks whether a test fails: N mutants of each folder in round-robin order, until the time is over. First all
// tests run, each again with every mutant that it covers. Mutants that survive are then run in a process of their own, with
// the nearest covering tests first. Prints the survivors and the score of each folder, also when it is interrupted.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandomChoices } from '../harness/random-choices.ts';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { selectCoveringTests } from './covering-tests.ts';
import { findMutants, insertMutants, type NumberedMutant } from './mutants.ts';
import { openTestRuns } from './test-runs.ts';

const defaultFolders = ['apiserver/request', 'apiserver/admission', 'apiserver/auth', 'apiserver/storage', 'api/apply'];

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1800' },
    sample: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    folder: { type: 'string', multiple: true, default: defaultFolders },
  },
});

/** The folders of test/ that run: users of a file find mutants that its own tests miss. */
const testFolders = new Set([
  ...values.folder.map((folder) => folder.split('/', 1)[0] ?? ''),
  'apiserver',
  'api',
  'controllers',
]);

interface SourceMutant extends NumberedMutant {
  readonly file: string;
  /** Below src/. */
  readonly folder: string;
}

const sources = new Map<string, string>();

/** A random sample of the folder's mutants; the same one for the same seed. */
function sampleMutants(folder: string, seed: number): readonly Omit<SourceMutant, 'number'>[] {
  const files = readdirSync(join('src', folder), { recursive: true, encoding: 'utf8' });
  const candidates = files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = join('src', folder, name);
      const source = readFileSync(file, 'utf8');
      sources.set(file, source);
      return findMutants(file, source).map((mutant) => ({ ...mutant, file, folder }));
    });
  console.log(`${folder}: ${candidates.length} mutants, seed ${seed}`);
  const random = createRandomChoices(createSeededRandom(seed));
  const count = Math.min(Number(values.sample), candidates.length);
  return Array.from({ length: count }, () => candidates.splice(random.upTo(candidates.length - 1), 1)).flat();
}

/** Copies the repository and inserts all mutants there: an interrupted run has changed nothing. */
function createMutatedCopy(mutants: readonly SourceMutant[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'kadmit-mutate-'));
  for (const name of ['src', 'test', 'docs', 'scenarios', 'package.json', 'tsconfig.json', 'README.md']) {
    cpSync(name, join(copy, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const ofFile = mutants.filter((mutant) => mutant.file === file);
    writeFileSync(join(copy, file), insertMutants(sources.get(file) ?? '', ofFile));
  }
  return copy;
}

function renderMutant({ file, start, end, text }: SourceMutant): string {
  const source = sources.get(file) ?? '';
  const before = source.slice(0, start).split('\n');
  const context = source.split('\n')[before.length - 1]?.trim() ?? '';
  const onOneLine = (code: string): string => code.replaceAll(/\s+/g, ' ');
  return `${file}:${before.length}: ${onOneLine(source.slice(start, end))} -> ${onOneLine(text)}    in  ${context}`;
}

const seed = Number(values.seed);
const startedAt = performance.now();
const elapsedSeconds = (): string => ((performance.now() - startedAt) / 1000).toFixed(0);
const isOver = (): boolean => performance.now() - startedAt > Number(values.seconds) * 1000;

// Round-robin, so that a short run covers every folder.
const mutants = values.folder
  .flatMap((folder) => sampleMutants(folder, seed).map((mutant, round) => ({ mutant, round })))
  .toSorted((a, b) => a.round - b.round)
  .map(({ mutant }, number): SourceMutant => ({ ...mutant, number }));

interface Score {
  tried: number;
  killed: number;
}

const scores = new Map(values.folder.map((folder): [string, Score] => [folder, { tried: 0, killed: 0 }]));

function printScores(): void {
  const percent = ({ killed, tried }: Score): string =>
    `${killed} of ${tried} killed: ${((100 * killed) / Math.max(1, tried)).toFixed(0)} %`;
  for (const [folder, score] of scores) console.log(`${folder}: ${percent(score)}`);
  const sum = (field: keyof Score): number => [...scores.values()].reduce((total, score) => total + score[field], 0);
  console.log(`${percent({ killed: sum('killed'), tried: sum('tried') })}, seed ${seed}, ${elapsedSeconds()} s`);
}

const findTests = (copy: string): readonly string[] =>
  [...testFolders].flatMap((folder) =>
    readdirSync(join(copy, 'test', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(copy, 'test', folder, name)),
  );

async function testMutants(copy: string): Promise<void> {
  const runs = await openTestRuns(copy);
  const tests = findTests(copy);
  const { coverage, killed } = await runs.measureCoverage(tests, Number(values.seconds) * 1000);
  console.log(
    `${coverage.length} of ${tests.length} test files pass and kill ${killed.size} of ${mutants.length} at once, in ${elapsedSeconds()} s`,
  );
  for (const mutant of mutants) {
    if (isOver()) break;
    const { files, all, timeout } = selectCoveringTests(join(copy, mutant.file), mutant.number, coverage);
    const isKilled =
      killed.has(mutant.number) || (files.length > 0 && (await runs.kills(mutant.number, files, timeout)));
    const score = scores.get(mutant.folder);
    if (score) score.tried += 1;
    if (score && isKilled) score.killed += 1;
    const result = all === 0 ? 'not covered' : `survived ${files.length} of ${all} covering test files`;
    if (!isKilled) console.log(`${result}: ${renderMutant(mutant)}`);
    if ((mutant.number + 1) % 10 === 0) console.log(`${mutant.number + 1} tested in ${elapsedSeconds()} s`);
  }
  await runs.close();
}

const copy = createMutatedCopy(mutants);
const exit = (code: number): void => {
  printScores();
  rmSync(copy, { recursive: true, force: true });
  process.exit(code);
};
process.once('SIGINT', () => exit(130)).once('SIGTERM', () => exit(143));
// An unhandled rejection does not end the run; an empty event loop does, with the score so far.
process.on('unhandledRejection', (error) => console.error(error)).once('beforeExit', () => exit(1));
try {
  await testMutants(copy);
} catch (error) {
  console.error(error);
}
exit(0);
