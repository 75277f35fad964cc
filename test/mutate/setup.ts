// Runs before each test file: activates the current mutant and records which mutants the tests cover.
import { appendFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeEach } from 'vitest';
import { mutantState } from './mutant-state.ts';

const { covered, coveredAtLoad } = mutantState.startFile();

let file = '';
beforeEach(({ task }) => {
  mutantState.isLoading = false;
  file = task.file.filepath;
});

const processFile = process.env['MUTANT_PROCESS'];
if (processFile !== undefined) writeFileSync(processFile, String(process.pid));

const coverageFile = process.env['MUTANTS_COVERED'];
if (coverageFile !== undefined) {
  afterAll(() => {
    const line = {
      file,
      covered: [...covered],
      coveredAtLoad: [...coveredAtLoad],
      milliseconds: mutantState.milliseconds,
    };
    appendFileSync(coverageFile, `${JSON.stringify(line)}\n`);
  });
}
