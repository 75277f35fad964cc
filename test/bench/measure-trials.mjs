import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Faults looked for before production: processor time, which other work on the machine changes least. */
export async function measureTrials(folder) {
  const lint = await part('lint', folder);
  const permute = await part('permute', folder);
  const tenth = await part('replay', folder, '10000');
  const replay = await part('replay', folder, '100000');
  return [
    row('lint of 300 configurations with their backends', lint, 1),
    row('6 mutating webhooks in all 720 orders, 20 requests', permute, 10),
    row('100,000 audit events through 10 policies and their bindings, 60 s on two processors', replay, 120),
    {
      what: 'memory of 100,000 events, of that of 10,000',
      figure: `${replay.mebibytes.toFixed(0)} MiB, ${(replay.mebibytes / tenth.mebibytes).toFixed(2)} x`,
      goal: '< 1.5 x',
      met: replay.mebibytes < 1.5 * tenth.mebibytes,
    },
  ];
}

async function part(...args) {
  const { stdout } = await run(process.execPath, ['test/bench/trials-client.mjs', ...args]);
  return JSON.parse(stdout);
}

const row = (what, { seconds, did }, goal) => ({
  what: `${what}: ${did}`,
  figure: `${seconds.toFixed(2)} s of processor time`,
  goal: `< ${goal} s`,
  met: seconds < goal,
});
