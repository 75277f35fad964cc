import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { SeenBy } from './test-runs.ts';

/** Tests may take so long together for one mutant: what is left then is not tried. */
const longest = 15_000;

export interface Nearest {
  readonly files: readonly string[];
  /** So many come by, tried or not. */
  readonly all: number;
  /** Whoever takes longer goes round and round. */
  readonly milliseconds: number;
}

/** The tests that come by a mutant: that of its own file, those of its folder, those of its room, then the quickest. */
export function nearestFirst(source: string, mutant: number, seenBy: readonly SeenBy[]): Nearest {
  const own = source.replace(`${sep}src${sep}`, `${sep}test${sep}`).replace(/\.ts$/, '.test.ts');
  const parts = own.split(sep);
  const room = parts.slice(0, parts.lastIndexOf('test') + 2).join(sep) + sep;
  const distance = (file: string): number => {
    if (file === own) return 0;
    if (dirname(file) === dirname(own)) return 1;
    return file.startsWith(room) ? 2 : 3;
  };
  const isReadOnce = seenBy.some(({ seenAtLoad }) => seenAtLoad.has(mutant));
  const coming = seenBy
    .filter(({ file, seen }) => seen.has(mutant) || (isReadOnce && opened(file).has(source)))
    .toSorted((one, other) => distance(one.file) - distance(other.file) || one.milliseconds - other.milliseconds);
  const files: string[] = [];
  let sum = 0;
  for (const { file, milliseconds } of coming) {
    if (files.length > 0 && sum + milliseconds > longest) continue;
    files.push(file);
    sum += milliseconds;
  }
  return { files, all: coming.length, milliseconds: 30_000 + 5 * sum };
}

const openedBefore = new Map<string, ReadonlySet<string>>();

/** Every file that this one opens, by way of others too. */
function opened(file: string): ReadonlySet<string> {
  const before = openedBefore.get(file);
  if (before) return before;
  const found = new Set<string>();
  const left = [file];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    left.push(...importsOf(next));
  }
  openedBefore.set(file, found);
  return found;
}

const importsBefore = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const before = importsBefore.get(file);
  if (before) return before;
  const source = readFileSync(file, 'utf8');
  const imports = [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map((match) =>
    join(dirname(file), match[1] ?? ''),
  );
  importsBefore.set(file, imports);
  return imports;
}
