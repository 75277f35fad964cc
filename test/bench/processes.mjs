import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask } from './https-line.mjs';

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const built = pathOf('../../dist/main.js');

async function stop(child) {
  if (child.exitCode !== null) return;
  child.kill('SIGINT');
  await once(child, 'exit');
}

let servers = 0;

/**
 * Starts `kadmit serve` on a free port with these certificates, and waits for the first "ok" of /readyz. Each server writes its own
 * kubeconfig, since a server does not replace that of another one that runs. `startedInMs` counts from the start of the process.
 */
export async function startKadmit({
  certDir,
  kubeconfig = join(certDir, `kubeconfig-${(servers += 1)}`),
  flags = [],
  nodeFlags = [],
  ipc = false,
  program = built,
}) {
  const begunAt = performance.now();
  const serve = ['serve', '--cert-dir', certDir, '--secure-port', '0', '--write-kubeconfig', kubeconfig];
  const args = [...nodeFlags, program, ...serve, ...flags];
  const { child, match } = await startProgram(args, /ready at https:\/\/127\.0\.0\.1:(\d+)/, ipc);
  const pageUrl = /The page: (\S+)/.exec(match.input)?.[1] ?? '';
  const server = { port: Number(match[1]), pageUrl, ...adminOf(certDir) };
  await ask(server, 'GET', '/readyz');
  const startedInMs = performance.now() - begunAt;
  return { ...server, child, startedInMs, stop: () => stop(child) };
}

/** Starts a program with Node and waits for output that matches. */
function startProgram(args, firstLine, ipc = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit', ...(ipc ? ['ipc'] : [])] });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const match = firstLine.exec(said);
      if (match) resolve({ child, match });
    });
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended before it was ready: ${said}`)));
  });
}

/** The administrator's credentials, which `kadmit serve` writes into its --cert-dir. */
function adminOf(certDir) {
  const read = (name) => readFileSync(join(certDir, name), 'utf8');
  return { ca: read('ca.crt'), cert: read('admin.crt'), key: read('admin.key') };
}

/** Starts one of the servers in this folder, with the serving certificate of a --cert-dir. */
export async function startServer(program, certDir, ...args) {
  const { child, match } = await startProgram([pathOf(program), certDir, ...args], /listening on (\d+)/);
  return { port: Number(match[1]), ...adminOf(certDir), child, stop: () => stop(child) };
}

/** Runs one of the clients in this folder with `settings` and returns the JSON it prints. */
export async function runClient(program, settings) {
  const child = spawn(process.execPath, [pathOf(program), JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const chunk of child.stdout) said += chunk;
  return JSON.parse(said);
}

/** Options of `startKadmit` for a server that responds to `readResources`. */
export const reportsResources = { nodeFlags: ['--expose-gc', '--import', pathOf('./report-resources.mjs')], ipc: true };

/** Returns open descriptors, except connections to `webhookPort`, timers, and memory in bytes after garbage collection. */
export async function readResources({ child }, webhookPort) {
  child.send({ webhookPort });
  const [report] = await once(child, 'message');
  return report;
}

/** Resident memory in MiB. */
export function residentMemory({ child }) {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Processor time of all threads of the process in milliseconds, in steps of 10. */
export function processorTime({ child }) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
