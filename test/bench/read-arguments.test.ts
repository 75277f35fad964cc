import { execFile } from 'node:child_process';
import { expect, test } from 'vitest';

interface Exit {
  readonly code: unknown;
  readonly output: string;
}

const run = (program: string, flag: string): Promise<Exit> =>
  new Promise((resolve) => {
    const args = ['--import', './test/tools/typescript.mjs', `test/bench/${program}.mjs`, flag];
    execFile(process.execPath, args, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, output: `${stdout}${stderr}` });
    });
  });

test.each(['restarts', 'shared', 'soak'])('npm run %s: an unknown flag is one line and the usage', async (program) => {
  const { code, output } = await run(program, '--nope');
  expect(code).toBe(2);
  expect(output.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^Unknown option '--nope'/),
    expect.stringMatching(new RegExp(`^usage: npm run ${program} \\[-- [A-Z]+\\]`)),
  ]);
});
