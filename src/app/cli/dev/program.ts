import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { CommandEnd } from '../terminal/run-command.ts';
import type { Io } from '../terminal/io.ts';
import { hasGroups, signalProcess, spawnable } from '../terminal/platform.ts';
import { X509Certificate } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A program that runs in a process group of its own, so that what it starts (`go run`, `npm`) ends with it. */
interface DevProgram {
  /** When it has ended and its output was printed. */
  readonly ended: Promise<CommandEnd>;
  /** SIGTERM, and SIGKILL after the grace period in milliseconds. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

const defaultGraceMs = 4_000;

/** Until the output of a killed group has ended. */
const drainMs = 500;

/** Starts a program and prints its output line by line. Rejects with ConfigError when it cannot be started. */
export async function startDevProgram(
  command: readonly string[],
  environment: NodeJS.ProcessEnv,
  print: Io,
): Promise<DevProgram> {
  const { program, args, options } = spawnable(command);
  const child = spawn(program, args, {
    ...options,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: hasGroups(),
  });
  createInterface({ input: child.stdout }).on('line', print.out);
  createInterface({ input: child.stderr }).on('line', print.error);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new ConfigError(`${command[0] ?? ''} cannot be run: ${error.message}`)));
  });
  // Nothing may outlive this process, however it ends.
  const kill = (): void => signal(child, 'SIGKILL');
  process.once('exit', kill);
  let isOver = false;
  const ended = new Promise<CommandEnd>((resolve) => {
    child.once('close', (code, signalName) => {
      kill();
      isOver = true;
      process.off('exit', kill);
      resolve(signalName ?? String(code ?? 0));
    });
  });
  return {
    ended,
    stop: async (graceMs = defaultGraceMs) => {
      if (isOver) return;
      signal(child, 'SIGTERM');
      await waitAtMost(graceMs, ended);
      if (!isOver) kill();
      await waitAtMost(drainMs, ended);
    },
  };
}

/** To the whole group, which may outlive its first process. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (hasGroups()) process.kill(-child.pid, name);
    else signalProcess(child, name);
  } catch {
    // It has ended.
  }
}

async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, sleep(milliseconds, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
}

/** A free port of the loopback address. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** A server that listens on `localhost` may have either address. */
const loopbackHosts = ['127.0.0.1', '::1'];

/** Whether connections to this port of the loopback address are accepted. */
export async function isPortTaken(port: number): Promise<boolean> {
  for (const host of loopbackHosts) if (await acceptsConnections(host, port)) return true;
  return false;
}

function acceptsConnections(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port });
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).then((accepted) => {
    socket.destroy();
    return accepted === true;
  });
}

export interface Backend {
  readonly host: string;
  readonly port: number;
  /** What the port speaks: TLS with the given certificate, TLS with another one, or plain HTTP. */
  readonly protocol: 'given certificate' | 'own certificate' | 'plain HTTP';
}

const pollMs = 50;

/** The backend that listens on this port of the loopback address; undefined when the signal aborts first. */
export async function waitForBackend(
  port: number,
  certificate: string,
  signal: AbortSignal,
): Promise<Backend | undefined> {
  while (!signal.aborted) {
    for (const host of loopbackHosts) {
      const protocol = await detectProtocol(host, port, certificate);
      if (protocol !== undefined) return { host, port, protocol };
    }
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

const handshakeMs = 3_000;

/** undefined when nothing listens. */
function detectProtocol(host: string, port: number, certificate: string): Promise<Backend['protocol'] | undefined> {
  // It may serve another certificate, which is compared and not verified.
  const socket = connectTls({ host, port, servername: 'localhost', rejectUnauthorized: false });
  let protocol: Backend['protocol'] | undefined;
  return new Promise((resolve) => {
    socket.once('connect', () => (protocol = 'plain HTTP'));
    socket.once('secureConnect', () => {
      const shown = socket.getPeerCertificate().raw;
      protocol = shown.equals(new X509Certificate(certificate).raw) ? 'given certificate' : 'own certificate';
      // Servers log a connection that ends in the middle of a handshake.
      socket.end();
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve(protocol));
    socket.setTimeout(handshakeMs, () => socket.destroy());
  });
}

export interface ProgramRun {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly name: string;
  readonly port: number;
  readonly certificate: string;
  /** Stops the program. */
  readonly leave: AbortSignal;
  readonly onListening: (backend: Backend) => Promise<void>;
}

/** How the program ended by itself; undefined when it was stopped. */
export async function runProgram(
  { command, environment, name, port, certificate, leave, onListening }: ProgramRun,
  { warn, ofProgram }: LinePrinters,
): Promise<CommandEnd | undefined> {
  const running = await startDevProgram(command, { ...process.env, ...environment }, ofProgram);
  const gone = new AbortController();
  void running.ended.then(() => gone.abort());
  const reminder = setTimeout(() => warn(waitingText(name, port)), reminderMs);
  try {
    const backend = await waitForBackend(port, certificate, AbortSignal.any([leave, gone.signal]));
    clearTimeout(reminder);
    if (backend) await onListening(backend);
    return await Promise.race([running.ended, whenAborted(leave)]);
  } finally {
    clearTimeout(reminder);
    await running.stop();
  }
}

const reminderMs = 5_000;

const waitingText = (name: string, port: number): string =>
  `${name} does not listen on port ${port} yet: it has to listen on the port in PORT, or --port has to name its port`;

export interface LinePrinters {
  readonly print: (line: string) => void;
  readonly warn: (line: string) => void;
  /** For the output of the command. */
  readonly ofProgram: Io;
}

export const whenAborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
