import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withServer } from '../with-server.mjs';

const patienceMs = 300_000;

/**
 * Processes of webhooks' vendors, run by `kadmit run` over their published manifests as they are: part after part, each when
 * the one before is `ready`; then the steps are played. `ownPod` selects the Pod whose name the processes take for theirs.
 */
export async function vendor(scratch, { parts, steps }) {
  if (spawnSync('kubectl', ['version', '--client']).status !== 0) return 'there is no kubectl';
  return withServer(scratch, (kubeconfig) => playParts(scratch, { parts, steps, kubeconfig }), ['--nodes=1']);
}

async function playParts(scratch, { parts, steps, kubeconfig }) {
  const kubectl = kubectlWith(kubeconfig);
  const log = join(scratch, 'program.log');
  const started = [];
  let tellEnd = () => {};
  const someEnded = new Promise((resolve) => {
    tellEnd = resolve;
  });
  try {
    for (const { namespace, manifests, ownPod, processes, ready } of parts) {
      if (namespace !== undefined) await kubectl('create', 'namespace', namespace);
      for (const file of manifests)
        await until(async () => (await kubectl('apply', '--server-side', '-f', file)) !== '', someEnded);
      const env = { POD_NAME: ownPod === undefined ? 'local' : await somePod(kubectl, ownPod) };
      for (const one of processes) {
        const running = startProcess(one, { kubeconfig, env, log });
        void running.ended.then(tellEnd);
        started.push(running);
      }
      await until(async () => (await fetch(ready)).ok, someEnded);
    }
    for (const step of steps) await until(() => play(kubectl, step), someEnded);
    return 'passed';
  } catch (error) {
    if (started.length > 0) process.stderr.write(readFileSync(log, 'utf8').slice(-5000));
    process.stderr.write(`${error.stderr ?? ''}${error.message}\n`);
    return 'failed';
  } finally {
    for (const { child } of started) child.kill();
    await Promise.all(started.map((one) => one.ended));
  }
}

function startProcess({ flags, program, env: own = {} }, { kubeconfig, env, log }) {
  const args = ['dist/main.js', 'run', `--kubeconfig=${kubeconfig}`, ...flags, '--', ...program];
  const out = openSync(log, 'a');
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', out, out],
    env: { ...process.env, ...env, ...own },
  });
  closeSync(out);
  return { child, ended: once(child, 'exit') };
}

/** What kubectl makes of a folder for kustomize, as a file. */
export function kustomized(folder, file) {
  const { stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (stdout === '') throw new Error(`kubectl kustomize ${folder}: ${stderr}`);
  writeFileSync(file, stdout);
  return file;
}

function kubectlWith(kubeconfig) {
  const execute = promisify(execFile);
  return async (...args) => (await execute('kubectl', [`--kubeconfig=${kubeconfig}`, ...args])).stdout;
}

/** A free port. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/** The name of a Pod that the manifests led to: the program takes it for its own. */
async function somePod(kubectl, { namespace, selector }) {
  const name = async () =>
    (await kubectl('get', 'pods', '-n', namespace, '-l', selector, '-o', 'jsonpath={.items[0].metadata.name}')).trim();
  await until(async () => (await name()) !== '');
  return name();
}

/** One command of kubectl: what it prints, or what refuses it, is as expected. */
async function play(kubectl, { args, out, refused }) {
  try {
    const printed = await kubectl(...args);
    if (refused !== undefined) throw new Error(`kubectl ${args.join(' ')} was not refused`);
    if (out !== undefined && !printed.includes(out)) throw new Error(`kubectl ${args.join(' ')} printed ${printed}`);
  } catch (error) {
    if (refused === undefined || !String(error.stderr).includes(refused)) throw error;
  }
  return true;
}

/** Again and again until it is so; the last reason is thrown. */
async function until(isSo, ended) {
  const deadline = performance.now() + patienceMs;
  let isOver = false;
  ended?.then(() => {
    isOver = true;
  });
  for (;;) {
    try {
      if (await isSo()) return;
      throw new Error('it never became so');
    } catch (error) {
      if (isOver) throw new Error(`the program ended: ${error.message}`, { cause: error });
      if (performance.now() > deadline) throw error;
    }
    await wait(250);
  }
}
