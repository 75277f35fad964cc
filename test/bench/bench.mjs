// npm run bench [PART...] [-- --compare REF] [-- --rounds N]: what kadmit costs, next to what the same work costs without it; with
// --compare the processor time of requests beside that of another checkout, in turns. A measurement, not a test.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCreates } from './measure-creates.mjs';
import { measureLists } from './measure-lists.mjs';
import { measureMemory } from './measure-memory.mjs';
import { measurePage } from './measure-page.mjs';
import { measurePods } from './measure-pods.mjs';
import { measureProcessor } from './measure-processor.mjs';
import { measureRequests } from './measure-requests.mjs';
import { measureStart } from './measure-start.mjs';
import { measureStorage } from './measure-storage.mjs';
import { measureWatch } from './measure-watch.mjs';
import { measureWebhooks } from './measure-webhooks.mjs';
import { measureWorlds } from './measure-worlds.mjs';
import { buildOther, dropOther } from './other-checkout.mjs';
import { startKadmit } from './processes.mjs';
import { renderTable } from './table.mjs';

// With it Node reads every root certificate before it begins, 35 ms of each process: that is no work of kadmit's.
delete process.env.NODE_EXTRA_CA_CERTS;

const options = { compare: { type: 'string' }, rounds: { type: 'string' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const others = (into) => (values.compare === undefined ? [] : [buildOther(values.compare, into)]);

const builds = (into) => ['dist', ...others(into)];
const measures = {
  requests: (into) => measureRequests(into, builds(into), Number(values.rounds ?? 3)),
  processor: (into) => measureProcessor(into, builds(into), Number(values.rounds ?? 5)),
  start: measureStart,
  creates: measureCreates,
  storage: measureStorage,
  webhooks: measureWebhooks,
  lists: measureLists,
  watch: measureWatch,
  memory: measureMemory,
  pods: measurePods,
  worlds: measureWorlds,
  page: measurePage,
};

const asked = values.compare === undefined || positionals.length > 0 ? positionals : ['requests'];
const folder = mkdtempSync(join(tmpdir(), 'kadmit-bench-'));
console.log(`Node ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`);
try {
  await (await startKadmit({ certDir: folder })).stop();
  for (const [name, measure] of Object.entries(measures)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    await tell(name, measure);
  }
} finally {
  rmSync(folder, { recursive: true });
  if (values.compare !== undefined) dropOther();
}

/** A part that fails costs the run its good end, and no other part its figures. */
async function tell(name, measure) {
  process.stderr.write(`measuring ${name} ...\n`);
  try {
    console.log(`\n${name}\n${renderTable(await measure(folder))}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`\n${name}: ${error.stack}`);
  }
}
