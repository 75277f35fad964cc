import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withServer } from './with-server.mjs';

const patienceMs = 60_000;

/** The process of a webhook's vendor, run by `kadmit run` over its published manifests as they are. */
export async function vendor(scratch, { manifests, run, program, ready, steps }) {
  const ports = { webhook: await freePort(), health: await freePort(), metrics: await freePort() };
  return withServer(
    scratch,
    async (kubeconfig) => {
      const kubectl = kubectlWith(kubeconfig);
      for (const file of manifests) await kubectl('apply', '-f', file);
      const log = join(scratch, 'program.log');
      const flags = [`--kubeconfig=${kubeconfig}`, ...run({ ...ports, scratch })];
      const started = spawn(
        process.execPath,
        ['dist/main.js', 'run', ...flags, '--', ...program({ ...ports, scratch })],
        {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, POD_NAME: await somePod(kubectl, ready) },
        },
      );
      const ended = once(started, 'exit');
      const file = createWriteStream(log);
      for (const stream of [started.stdout, started.stderr]) stream.pipe(file, { end: false });
      try {
        await until(async () => (await fetch(`http://127.0.0.1:${ports.health}${ready.path}`)).ok, ended);
        for (const step of steps) await until(() => play(kubectl, step), ended);
        return 'passed';
      } catch (error) {
        process.stderr.write(`${readFileSync(log, 'utf8').slice(-5000)}\n${error.message}\n`);
        return 'failed';
      } finally {
        started.kill();
        await ended;
      }
    },
    ['--nodes=1'],
  );
}

function kubectlWith(kubeconfig) {
  const execute = promisify(execFile);
  return async (...args) => (await execute('kubectl', [`--kubeconfig=${kubeconfig}`, ...args])).stdout;
}

async function freePort() {
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
