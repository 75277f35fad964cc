// Runs before each test file: switches on the mutant that is tried, and writes down which mutants the tests come by.
import { appendFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach } from 'vitest';

const active = Number(process.env['MUTANT'] ?? -1);
const seen = new Set<number>();
/** What ran before the first test: modules are read once for all files, so whoever opens them has come by as well. */
const seenAtLoad = new Set<number>();
let isLoading = true;

/** A mutant that never comes to an end is noticed after so many of its turns. */
const mostTurns = 20_000_000;
let turns = 0;

Object.assign(globalThis, {
  isMutant(number: number): boolean {
    (isLoading ? seenAtLoad : seen).add(number);
    turns += 1;
    if (active >= 0 && turns > mostTurns) throw new Error(`went round ${String(mostTurns)} times`);
    return number === active;
  },
});

let file = '';
beforeEach(({ task }) => {
  isLoading = false;
  file = task.file.filepath;
});

const note = process.env['MUTANT_PROCESS'];
if (note !== undefined) writeFileSync(note, String(process.pid));

const log = process.env['MUTANTS_SEEN'];
if (log !== undefined) {
  afterAll(() => {
    const line = { file, seen: [...seen], seenAtLoad: [...seenAtLoad] };
    appendFileSync(log, `${JSON.stringify(line)}\n`);
  });
}
