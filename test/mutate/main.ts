// npm run mutate [-- --sample N] [--seconds N] [--seed N] [--room NAME]...: changes the source one place at a time, in a
// copy, and sees whether a test fails: so many places of each room, in turns, until the time is over. First all tests are
// run, each again with the changes that it comes by; then what nobody noticed is tried in a process of its own, with the
// nearest of those tests first. Prints what survived and the score of each room, also when it is interrupted.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { drawer } from '../harness/drawer.ts';
import { seededRandom } from '../harness/seeded-random.ts';
import { mutantsOf, type Numbered, withSwitches } from './mutants.ts';
import { nearestFirst } from './nearest.ts';
import { testRunsIn } from './test-runs.ts';

const defaultRooms = ['apiserver/request', 'apiserver/admission', 'apiserver/auth', 'apiserver/storage', 'api/apply'];

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '1800' },
    sample: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    room: { type: 'string', multiple: true, default: defaultRooms },
  },
});

/** The folders whose tests may notice: what uses a file sees what its own tests do not. */
const watching = new Set([
  ...values.room.map((room) => room.split('/', 1)[0] ?? ''),
  'apiserver',
  'api',
  'controllers',
]);

interface Placed extends Numbered {
  readonly file: string;
  readonly room: string;
}

const sources = new Map<string, string>();

/** So many mutants of a room: others for each seed, the same for the same one. */
function drawnIn(room: string, seed: number): readonly Omit<Placed, 'number'>[] {
  const files = readdirSync(join('src', room), { recursive: true, encoding: 'utf8' });
  const left = files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const file = join('src', room, name);
      const source = readFileSync(file, 'utf8');
      sources.set(file, source);
      return mutantsOf(file, source).map((mutant) => ({ ...mutant, file, room }));
    });
  console.log(`${room}: ${left.length} places, seed ${seed}`);
  const draw = drawer(seededRandom(seed));
  const count = Math.min(Number(values.sample), left.length);
  return Array.from({ length: count }, () => left.splice(draw.upTo(left.length - 1), 1)).flat();
}

/** A copy of the repository with all mutants in it: whoever interrupts this has changed nothing. */
function copyWith(mutants: readonly Placed[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-mutate-'));
  for (const name of ['src', 'test', 'docs', 'scenarios', 'package.json', 'tsconfig.json', 'README.md']) {
    cpSync(name, join(folder, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const here = mutants.filter((mutant) => mutant.file === file);
    writeFileSync(join(folder, file), withSwitches(sources.get(file) ?? '', here));
  }
  return folder;
}

function told({ file, start, end, text }: Placed): string {
  const source = sources.get(file) ?? '';
  const before = source.slice(0, start).split('\n');
  const context = source.split('\n')[before.length - 1]?.trim() ?? '';
  const onOneLine = (code: string): string => code.replaceAll(/\s+/g, ' ');
  return `${file}:${before.length}: ${onOneLine(source.slice(start, end))} -> ${onOneLine(text)}    in  ${context}`;
}

const seed = Number(values.seed);
const begun = performance.now();
const secondsSince = (start: number): string => ((performance.now() - start) / 1000).toFixed(0);
const isOver = (): boolean => performance.now() - begun > Number(values.seconds) * 1000;

const perRoom = values.room.map((room) => drawnIn(room, seed));
// Each room has its turn, so that a short run says something of all.
const turns = perRoom.flatMap((room) => room.map((mutant, turn) => ({ mutant, turn })));
const mutants = turns
  .toSorted((one, other) => one.turn - other.turn)
  .map(({ mutant }, number): Placed => ({ ...mutant, number }));

interface Score {
  tried: number;
  killed: number;
}

const scores = new Map(values.room.map((room): [string, Score] => [room, { tried: 0, killed: 0 }]));

function printScores(): void {
  const percent = ({ killed, tried }: Score): string =>
    `${killed} of ${tried} killed: ${((100 * killed) / Math.max(1, tried)).toFixed(0)} %`;
  for (const [room, score] of scores) console.log(`${room}: ${percent(score)}`);
  const sum = (field: keyof Score): number => [...scores.values()].reduce((total, score) => total + score[field], 0);
  console.log(`${percent({ killed: sum('killed'), tried: sum('tried') })}, seed ${seed}, ${secondsSince(begun)} s`);
}

function testsThatWatch(folder: string): readonly string[] {
  return [...watching].flatMap((room) =>
    readdirSync(join(folder, 'test', room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, 'test', room, name)),
  );
}

async function tryAll(folder: string): Promise<void> {
  const runs = await testRunsIn(folder);
  const tests = testsThatWatch(folder);
  const { seenBy, noticed } = await runs.watch(tests, Number(values.seconds) * 1000);
  console.log(
    `${seenBy.length} of ${tests.length} test files pass and notice ${noticed.size} of ${mutants.length} at once, in ${secondsSince(begun)} s`,
  );
  for (const mutant of mutants) {
    if (isOver()) break;
    const near = nearestFirst(join(folder, mutant.file), mutant.number, seenBy);
    const isNoticed =
      noticed.has(mutant.number) ||
      (near.files.length > 0 && (await runs.notices(mutant.number, near.files, near.milliseconds)));
    const score = scores.get(mutant.room);
    if (score) score.tried += 1;
    if (score && isNoticed) score.killed += 1;
    const by = near.all === 0 ? 'no test comes by' : `survived ${near.files.length} of ${near.all} tests`;
    if (!isNoticed) console.log(`${by}: ${told(mutant)}`);
    if ((mutant.number + 1) % 10 === 0) console.log(`${mutant.number + 1} tried in ${secondsSince(begun)} s`);
  }
  await runs.close();
}

const folder = copyWith(mutants);
const end = (code: number): void => {
  printScores();
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
};
process.once('SIGINT', () => end(130)).once('SIGTERM', () => end(143));
// A promise that nobody waits for is no end; when there is nothing left to wait for, it is one, and has its score too.
process.on('unhandledRejection', (error) => console.error(error)).once('beforeExit', () => end(1));
try {
  await tryAll(folder);
} catch (error) {
  console.error(error);
}
end(0);
