import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../../adapters/config/config-error.ts';
import type { CommandEnd } from '../record/run-command.ts';
import type { Io } from '../terminal/io.ts';
import { hasGroups, signalProcess, spawnable } from '../terminal/platform.ts';

/** A program that runs in a process group of its own, so that what it starts (`go run`, `npm`) ends with it. */
export interface DevProgram {
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
      await within(graceMs, ended);
      if (!isOver) kill();
      await within(drainMs, ended);
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

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, sleep(milliseconds, undefined, { signal: over.signal }).catch(() => {})]);
  over.abort();
}
