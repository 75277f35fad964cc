import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { FileCoverage } from './test-runs.ts';

/** Milliseconds that the tests of one mutant may take together; further tests are not run. */
const maxMilliseconds = 15_000;

export interface CoveringTests {
  readonly files: readonly string[];
  /** Number of files that cover the mutant, selected or not. */
  readonly all: number;
  /** A run that takes longer is an infinite loop. */
  readonly timeout: number;
}

/** The test files that cover a mutant: that of its own file, those of its folder, those of its wing, then the quickest. */
export function selectCoveringTests(source: string, mutant: number, coverage: readonly FileCoverage[]): CoveringTests {
  const own = source.replace(`${sep}src${sep}`, `${sep}test${sep}`).replace(/\.ts$/, '.test.ts');
  const parts = own.split(sep);
  const wing = parts.slice(0, parts.lastIndexOf('test') + 2).join(sep) + sep;
  const distance = (file: string): number => {
    if (file === own) return 0;
    if (dirname(file) === dirname(own)) return 1;
    return file.startsWith(wing) ? 2 : 3;
  };
  const isCoveredAtLoad = coverage.some(({ coveredAtLoad }) => coveredAtLoad.has(mutant));
  const covering = coverage
    .filter(({ file, covered }) => covered.has(mutant) || (isCoveredAtLoad && transitiveImports(file).has(source)))
    .toSorted((a, b) => distance(a.file) - distance(b.file) || a.milliseconds - b.milliseconds);
  const files: string[] = [];
  let sum = 0;
  for (const { file, milliseconds } of covering) {
    if (files.length > 0 && sum + milliseconds > maxMilliseconds) continue;
    files.push(file);
    sum += milliseconds;
  }
  return { files, all: covering.length, timeout: 30_000 + 5 * sum };
}

const transitiveCache = new Map<string, ReadonlySet<string>>();

/** The file and everything that it imports, directly or not. */
function transitiveImports(file: string): ReadonlySet<string> {
  const cached = transitiveCache.get(file);
  if (cached) return cached;
  const files = new Set<string>();
  const queue = [file];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (files.has(next)) continue;
    files.add(next);
    queue.push(...directImports(next));
  }
  transitiveCache.set(file, files);
  return files;
}

const directCache = new Map<string, readonly string[]>();

function directImports(file: string): readonly string[] {
  const cached = directCache.get(file);
  if (cached) return cached;
  // A path inside a template string is no file.
  const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const imports = [...source.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map((match) =>
    join(dirname(file), match[1] ?? ''),
  );
  directCache.set(file, imports);
  return imports;
}
