import { spawnSync } from 'node:child_process';

const minute = 60_000;

/** Runs a program to its end, or until it has had its minutes. */
export const execute = (program, args, { minutes, env = {}, cwd }) =>
  spawnSync(program, args, { cwd, timeout: minutes * minute, encoding: 'utf8', env: { ...process.env, ...env } });

/** The last line of what a program said. */
export const lastLine = (text) => text?.trim().split('\n').at(-1) || 'no word why';

/** 'passed', or 'failed' with all that it said on standard error. */
export function outcomeOf({ status, stdout, stderr }) {
  if (status === 0) return 'passed';
  process.stderr.write(`${stdout}${stderr}`);
  return 'failed';
}
