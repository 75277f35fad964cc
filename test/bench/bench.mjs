// npm run bench [PART...] [-- --compare REF] [-- --rounds N]: prints what kadmit costs. With --compare it measures another commit or
// checkout too, alternately, and prints the processor time of both.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measurePage } from './measure-page.mjs';
import { measureProcessor } from './measure-processor.mjs';
import { measureRequests } from './measure-requests.mjs';
import { measureStart } from './measure-start.mjs';
import { measureWebhooks } from './measure-webhooks.mjs';
import { measureWorlds } from './measure-worlds.mjs';
import { buildOther, pruneWorktrees } from './other-checkout.mjs';
import { startKadmit } from './processes.mjs';
import { renderTable } from './table.mjs';

// With this variable Node reads every root certificate when it starts, which takes 35 ms in each process.
delete process.env.NODE_EXTRA_CA_CERTS;

const options = { compare: { type: 'string' }, rounds: { type: 'string' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const builds = (into) => (values.compare === undefined ? ['dist'] : ['dist', buildOther(values.compare, into)]);
const measures = {
  requests: (into) => measureRequests(into, builds(into), Number(values.rounds ?? 3)),
  processor: (into) => measureProcessor(into, builds(into), Number(values.rounds ?? 5)),
  start: measureStart,
  webhooks: measureWebhooks,
  worlds: measureWorlds,
  page: measurePage,
};

const parts = values.compare === undefined || positionals.length > 0 ? positionals : ['requests'];
const folder = mkdtempSync(join(tmpdir(), 'kadmit-bench-'));
console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`);
try {
  await (await startKadmit({ certDir: folder })).stop();
  for (const [name, measure] of Object.entries(measures)) {
    if (parts.length === 0 || parts.includes(name)) await printPart(name, measure);
  }
} finally {
  rmSync(folder, { recursive: true });
  if (values.compare !== undefined) pruneWorktrees();
}

/** When a part fails, the others are measured, and the exit code is 1. */
async function printPart(name, measure) {
  process.stderr.write(`measuring ${name} ...\n`);
  try {
    console.log(`\n${name}\n${renderTable(await measure(folder))}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`\n${name}: ${error.stack}`);
  }
}
