import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

interface Ended {
  readonly code: unknown;
  readonly said: string;
}

const started = (program: string, flag: string): Promise<Ended> =>
  new Promise((resolve) => {
    const args = ['--import', './test/tools/typescript.mjs', `test/bench/${program}.mjs`, flag];
    execFile(process.execPath, args, (error, out, told) => {
      resolve({ code: error === null ? 0 : error.code, said: `${out}${told}` });
    });
  });

test.each(['restarts', 'shared', 'soak'])('npm run %s: an unknown flag is one line and the usage', async (program) => {
  const { code, said } = await started(program, '--nope');
  expect(code).toBe(2);
  expect(said.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^Unknown option '--nope'/),
    expect.stringMatching(new RegExp(`^usage: npm run ${program} \\[-- [A-Z]+\\]`)),
  ]);
});
