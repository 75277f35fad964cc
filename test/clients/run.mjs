// Runs what is written for other clients against the build in dist/, from the root: node test/clients/run.mjs
// Go, Python and Node always; what takes long to compile where CLIENTS names it or with CLIENTS=all; the others where their
// folder changed with the last commit too. Each program needs its own tools; what did not run is said, and does not fail.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { programs } from './programs.mjs';

const asked = (process.env['CLIENTS'] ?? '').split(',').filter((name) => name !== '');
const unknown = asked.filter((name) => name !== 'all' && !Object.hasOwn(programs, name));
if (unknown.length > 0) {
  process.stderr.write(
    `CLIENTS: there is no ${unknown.join(', ')}; say all, or some of ${Object.keys(programs).join(',')}\n`,
  );
  process.exit(2);
}

const isChanged = (folder) => spawnSync('git', ['diff', '--quiet', 'HEAD~1', '--', folder]).status === 1;

function isDue(name, { always, rare, folder }) {
  if (asked.length > 0) return asked.includes('all') || asked.includes(name);
  return always === true || (rare !== true && isChanged(folder));
}

const scratch = mkdtempSync(join(tmpdir(), 'kadmit-clients-'));
const say = (line) => process.stdout.write(`${line}\n`);
try {
  for (const [name, { run, ...program }] of Object.entries(programs)) {
    const folder = resolve(import.meta.dirname, program.folder);
    if (!isDue(name, { ...program, folder })) {
      say(`${name}: did not run: it has not changed; CLIENTS=${name} or CLIENTS=all runs it`);
      continue;
    }
    const begin = performance.now();
    const outcome = await run(folder, mkdtempSync(join(scratch, `${name.replaceAll(' ', '-')}-`)));
    const seconds = ((performance.now() - begin) / 1000).toFixed(1);
    const isKnown = outcome === 'passed' || outcome === 'failed';
    say(`${name}: ${isKnown ? `${outcome} in ${seconds} s` : `did not run: ${outcome}`}`);
    if (outcome === 'failed') process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
