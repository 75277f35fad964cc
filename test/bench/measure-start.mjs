import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const runs = 5;

/** From the start of the process to "ok" from /readyz: with certificates that are there, and with new ones. */
export async function measureStart(folder) {
  const kept = mkdtempSync(join(folder, 'start-'));
  await startOnce(kept);
  const again = await inTurn(() => startOnce(kept));
  const first = await inTurn(() => startOnce(mkdtempSync(join(folder, 'start-'))));
  return [
    { what: 'start to ready', figure: `${again.toFixed(0)} ms`, goal: '< 300 ms', met: again < 300 },
    { what: 'first start, certificates made', figure: `${first.toFixed(0)} ms` },
  ];
}

async function inTurn(measure) {
  const figures = [];
  for (let run = 0; run < runs; run += 1) figures.push(await measure());
  return median(figures);
}

async function startOnce(certDir) {
  const kadmit = await startKadmit({ certDir });
  await kadmit.stop();
  return kadmit.startedInMs;
}
