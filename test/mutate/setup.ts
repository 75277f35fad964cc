// Runs before each test file: switches on the mutant that is tried, and writes down which mutants the tests come by.
import { appendFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach } from 'vitest';
import { mutantsHere } from './mutants-here.ts';

const { seen, seenAtLoad } = mutantsHere.ofNextFile();

let file = '';
beforeEach(({ task }) => {
  mutantsHere.isLoading = false;
  file = task.file.filepath;
});

const note = process.env['MUTANT_PROCESS'];
if (note !== undefined) writeFileSync(note, String(process.pid));

const log = process.env['MUTANTS_SEEN'];
if (log !== undefined) {
  afterAll(() => {
    const line = { file, seen: [...seen], seenAtLoad: [...seenAtLoad], milliseconds: mutantsHere.milliseconds };
    appendFileSync(log, `${JSON.stringify(line)}\n`);
  });
}
