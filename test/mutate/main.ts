// npm run mutate [-- --seconds N] [--sample N] [--seed N] [--room NAME]...: changes the source one place at a time, in a
// copy, and sees whether a test fails: so many places of each room, in turns, until the time is over. The nearest tests are
// run first; what survives them is tried with those of all rooms at the end, if there is time. Prints what survived
// and the score of each room.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { drawer } from '../harness/drawer.ts';
import { seededRandom } from '../harness/seeded-random.ts';
import { mutantsOf, mutated } from './mutants.ts';
import type { Mutant } from './mutants.ts';

const defaultRooms = ['request', 'admission', 'auth', 'store', 'apply'];

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    sample: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    room: { type: 'string', multiple: true, default: defaultRooms },
  },
});

interface Placed extends Mutant {
  readonly file: string;
}

const sources = new Map<string, string>();

/** Every mutant of a room. */
function mutantsIn(room: string): readonly Placed[] {
  const files = readdirSync(join('src', room), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return files.flatMap((name) => {
    const file = join('src', room, name);
    const source = readFileSync(file, 'utf8');
    sources.set(file, source);
    return mutantsOf(file, source).map((mutant): Placed => ({ ...mutant, file }));
  });
}

const roomOf = ({ file }: Placed): string => file.split('/')[1] ?? '';

/** A copy of the repository to change things in: whoever interrupts this has changed nothing. */
function copyOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kadmit-mutate-'));
  for (const name of [
    'src',
    'test',
    'docs',
    'scenarios',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
    'README.md',
  ]) {
    cpSync(name, join(folder, name), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Do these tests pass? Those that take too long have not. */
function passes(folder: string, tests: readonly string[], timeout: number): boolean {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--bail', '1', ...tests];
  return spawnSync(process.execPath, args, { cwd: folder, timeout, stdio: 'ignore' }).status === 0;
}

/** The test of the same name, else those of the same folder, else those of the room. */
function nearTests({ file }: Placed): readonly string[] {
  const own = file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts');
  const folder = own.slice(0, own.lastIndexOf('/') + 1);
  return [[own, folder].find((path) => existsSync(path)) ?? `test/${file.split('/')[1] ?? ''}/`];
}

/** The tests of all rooms: what uses a file may notice what the nearest tests do not. */
const allTests: readonly string[] = [...defaultRooms, 'controllers', 'cluster'].map((room) => `test/${room}/`);

/** Another order for each seed, the same for the same one. */
function shuffled(list: readonly Placed[], seed: number): readonly Placed[] {
  const draw = drawer(seededRandom(seed));
  const left = [...list];
  return list.map(() => left.splice(draw.upTo(left.length - 1), 1)).flat();
}

function told({ file, start, end, text }: Placed): string {
  const source = sources.get(file) ?? '';
  const line = source.slice(0, start).split('\n').length;
  const was = source.slice(start, end);
  const context = source.split('\n')[line - 1]?.trim() ?? '';
  return `survived: ${file}:${line}: ${was === '' ? '(nothing)' : was} -> ${text === '' ? '(nothing)' : text}    in  ${context}`;
}

const seed = Number(values.seed);
const folder = copyOf();
const until = performance.now() + Number(values.seconds) * 1000;
const isOver = (): boolean => performance.now() > until;

/** Is the mutant noticed by one of these sets of tests, tried one after the other? */
function isKilled(mutant: Placed, tests: readonly (readonly string[])[], timeout: number): boolean {
  const source = sources.get(mutant.file) ?? '';
  writeFileSync(join(folder, mutant.file), mutated(source, mutant));
  const killed = tests.some((some) => some.length > 0 && !passes(folder, some, timeout));
  writeFileSync(join(folder, mutant.file), source);
  return killed;
}

interface Score {
  tried: number;
  killed: number;
}

const timeouts = new Map<string, number | undefined>();

/** How long a mutant's nearest tests may take: it may send one round and round. Undefined where they fail without it. */
function timeoutFor(tests: readonly string[]): number | undefined {
  const key = tests.join(' ');
  if (timeouts.has(key)) return timeouts.get(key);
  const begun = performance.now();
  const timeout = passes(folder, tests, 900_000) ? 30_000 + 4 * Math.ceil(performance.now() - begun) : undefined;
  if (timeout === undefined) console.log(`${key} fails, or takes too long, before anything is changed`);
  timeouts.set(key, timeout);
  return timeout;
}

/** What the nearest tests leave; each room has a turn, so that a short run says something of all. */
function tryNearTests(drawn: readonly Drawn[], scores: ReadonlyMap<string, Score>): readonly Placed[] {
  const left: Placed[] = [];
  const turns = drawn.flatMap(({ room, mutants }) =>
    mutants.map((mutant, turn) => ({ turn, mutant, score: scores.get(room) })),
  );
  for (const { mutant, score } of turns.toSorted((a, b) => a.turn - b.turn)) {
    if (!score || isOver()) break;
    const tests = nearTests(mutant);
    const timeout = timeoutFor(tests);
    if (timeout === undefined) continue;
    score.tried += 1;
    if (isKilled(mutant, [tests], timeout)) {
      score.killed += 1;
      continue;
    }
    left.push(mutant);
    console.log(`by the nearest tests ${told(mutant)}`);
  }
  return left;
}

function tryOtherTests(left: readonly Placed[], scores: ReadonlyMap<string, Score>): void {
  for (const mutant of left) {
    const score = scores.get(roomOf(mutant));
    if (isOver()) console.log(`no time for all tests: ${told(mutant)}`);
    else if (score && isKilled(mutant, [allTests], 900_000)) {
      score.killed += 1;
      console.log(`killed by all tests: ${told(mutant)}`);
    } else console.log(`by all tests ${told(mutant)}`);
  }
}

interface Drawn {
  readonly room: string;
  readonly mutants: readonly Placed[];
}

try {
  const drawn = values.room.map((room): Drawn => {
    const all = mutantsIn(room);
    console.log(`${room}: ${all.length} mutants, seed ${seed}`);
    return { room, mutants: shuffled(all, seed).slice(0, Number(values.sample)) };
  });
  const scores = new Map(values.room.map((room): [string, Score] => [room, { tried: 0, killed: 0 }]));
  tryOtherTests(tryNearTests(drawn, scores), scores);
  const percent = ({ killed, tried }: Score): string =>
    `${killed} of ${tried} killed: ${((100 * killed) / Math.max(1, tried)).toFixed(0)} %`;
  for (const [room, score] of scores) console.log(`${room}: ${percent(score)}`);
  const sum = (field: keyof Score): number => [...scores.values()].reduce((total, score) => total + score[field], 0);
  console.log(`${percent({ killed: sum('killed'), tried: sum('tried') })}, seed ${seed}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
