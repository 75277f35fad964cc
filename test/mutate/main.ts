// npm run mutate [-- --seconds N] [--sample N] [--seed N] [--room NAME]...: changes the source one place at a time, in a
// copy, and sees whether a test fails. Prints what survived and the score.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
    sample: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    room: { type: 'string', multiple: true, default: defaultRooms },
  },
});

interface Placed extends Mutant {
  readonly file: string;
}

const sources = new Map(
  values.room.flatMap((room) =>
    readdirSync(join('src', room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join('src', room, name))
      .map((file) => [file, readFileSync(file, 'utf8')] as const),
  ),
);
const all = [...sources].flatMap(([file, source]) =>
  mutantsOf(file, source).map((mutant): Placed => ({ ...mutant, file })),
);

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

/** Do the tests of these folders pass? Those that take too long have not. */
function passes(folder: string, rooms: readonly string[], timeout: number): boolean {
  const folders = rooms.map((room) => `test/${room}/`);
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--bail', '1', ...folders];
  return spawnSync(process.execPath, args, { cwd: folder, timeout, stdio: 'ignore' }).status === 0;
}

/** First the tests of the mutant's own room, then those of the others, which use it. */
function survives(folder: string, { file }: Placed, timeout: number): boolean {
  const room = file.split('/')[1] ?? '';
  const others = [...defaultRooms.filter((other) => other !== room), 'controllers'];
  return passes(folder, [room], timeout) && passes(folder, others, timeout);
}

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
try {
  const until = performance.now() + Number(values.seconds) * 1000;
  const begunAt = performance.now();
  if (!passes(folder, [...defaultRooms, 'controllers'], 900_000))
    throw new Error('the tests fail before anything is changed');
  // A mutant may send a test round and round.
  const timeout = 10_000 + 3 * (performance.now() - begunAt);
  console.log(`seed ${seed}: ${all.length} mutants of ${sources.size} files`);
  let [tried, killed] = [0, 0];
  for (const mutant of shuffled(all, seed).slice(0, Number(values.sample))) {
    if (performance.now() > until) break;
    const source = sources.get(mutant.file) ?? '';
    writeFileSync(join(folder, mutant.file), mutated(source, mutant));
    const isKilled = !survives(folder, mutant, timeout);
    writeFileSync(join(folder, mutant.file), source);
    tried += 1;
    if (isKilled) killed += 1;
    else console.log(told(mutant));
  }
  console.log(`${killed} of ${tried} killed: ${((100 * killed) / Math.max(1, tried)).toFixed(0)} %, seed ${seed}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
