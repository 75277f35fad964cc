import { spawnSync } from 'node:child_process';

/** What is named, or all of it, may take its time; what runs always may not. */
export const patience = (process.env['CLIENTS'] ?? '') === '' ? 1 : 5;
const minute = patience * 60_000;

/** Runs a program to its end, or until it has had its minutes. */
export const execute = (program, args, { minutes, env = {}, cwd }) =>
  spawnSync(program, args, {
    cwd,
    timeout: minutes * minute,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

/** Why a program did not do it: that it took too long, or the last line of what it said. */
export function whyNot({ error, stdout, stderr }) {
  if (error?.code === 'ETIMEDOUT') return 'it took too long';
  return (stderr || stdout)?.trim().split('\n').at(-1) || error?.message || 'no word why';
}

/** 'passed', or 'failed' with all that it said on standard error. */
export function outcomeOf({ status, stdout, stderr }) {
  if (status === 0) return 'passed';
  process.stderr.write(`${stdout}${stderr}`);
  return 'failed';
}
