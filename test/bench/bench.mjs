// npm run bench: what kadmit costs, next to what the same work costs without it. A measurement, not a test.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureApply } from './measure-apply.mjs';
import { measureCelFootprint } from './measure-cel-footprint.mjs';
import { measureCel } from './measure-cel.mjs';
import { measureCreates } from './measure-creates.mjs';
import { measureLists } from './measure-lists.mjs';
import { measureMemory } from './measure-memory.mjs';
import { measurePage } from './measure-page.mjs';
import { measureRecording } from './measure-recording.mjs';
import { measureStalls } from './measure-stalls.mjs';
import { measureStart } from './measure-start.mjs';
import { measureWatch } from './measure-watch.mjs';
import { measureWebhooks } from './measure-webhooks.mjs';
import { measureWorlds } from './measure-worlds.mjs';
import { startKadmit } from './processes.mjs';
import { tableOf } from './table.mjs';

const measures = {
  start: measureStart,
  creates: measureCreates,
  webhooks: measureWebhooks,
  lists: measureLists,
  watch: measureWatch,
  apply: measureApply,
  memory: measureMemory,
  worlds: measureWorlds,
  page: measurePage,
  recording: measureRecording,
  stalls: measureStalls,
  cel: () => [...measureCel(), ...measureCelFootprint()],
};

const asked = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'kadmit-bench-'));
const rows = [];
try {
  await (await startKadmit({ certDir: folder })).stop();
  for (const [name, measure] of Object.entries(measures)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    process.stderr.write(`measuring ${name} ...\n`);
    rows.push(...(await measure(folder)));
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`\nNode ${process.version}, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}\n\n${tableOf(rows)}`);
