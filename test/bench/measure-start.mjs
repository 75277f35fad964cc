import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startKadmit } from './processes.mjs';
import { median } from './table.mjs';

const runs = 5;

/** From the start of the process to "ok" from /readyz: with certificates that are there, and with new ones. */
export async function measureStart(folder) {
  const kept = mkdtempSync(join(folder, 'start-'));
  await startOnce(kept);
  const again = await inTurn(() => startOnce(kept));
  const first = await inTurn(() => startOnce(mkdtempSync(join(folder, 'start-'))));
  const envtest = await inTurn(() => launchOnce(mkdtempSync(join(folder, 'start-'))));
  return [
    { what: 'start to ready', figure: `${again.toFixed(0)} ms`, goal: '< 200 ms', met: again < 200 },
    { what: 'first start, certificates made', figure: `${first.toFixed(0)} ms` },
    { what: 'envtest: exec to ready', figure: `${envtest.toFixed(0)} ms`, goal: '< 400 ms', met: envtest < 400 },
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

/** The launcher as controller-runtime's envtest calls it, with a folder that is empty each time. */
async function launchOnce(certDir) {
  const launcher = fileURLToPath(new URL('../../dist/envtest/kube-apiserver', import.meta.url));
  const flags = ['--secure-port=0', `--cert-dir=${certDir}`, '--etcd-servers=http://127.0.0.1:2379'];
  const more = ['--disable-admission-plugins=ServiceAccount', '--service-cluster-ip-range=10.0.0.0/24'];
  const begin = performance.now();
  const child = spawn(launcher, [...flags, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  for await (const chunk of child.stderr) {
    said += chunk;
    if (said.includes('ready at https://')) break;
  }
  const ms = performance.now() - begin;
  child.kill();
  await once(child, 'exit');
  return ms;
}
