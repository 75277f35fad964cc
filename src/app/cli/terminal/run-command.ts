import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isSentByTerminal, signalProcess, spawnable } from './platform.ts';
import { ConfigError } from '../../../adapters/config/config-error.ts';

/** How a command ended: `0`, `1`, or the signal that ended it. */
export type CommandEnd = string;

/** A terminal sends Ctrl-C to the command itself. */
interface Signals {
  readonly on: (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => unknown;
  readonly off: (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => unknown;
  readonly stdin: { readonly isTTY?: boolean };
}

export interface StopOptions {
  /** Receives a line when the command still runs after a signal. */
  readonly log: (line: string) => void;
  readonly signals?: Signals;
  /** Default 'stdout'; 'stderr' leaves standard output to the caller. */
  readonly output?: 'stdout' | 'stderr';
}

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Between a signal and SIGKILL: the default terminationGracePeriodSeconds of a Pod. */
const graceMs = 30_000;
const stillRunningMs = 1_000;
/** npx repeats a Ctrl-C that the terminal has sent: a second one this soon is the same. */
const repeatedSignalMs = 300;

/**
 * Runs a command with this terminal and environment. Forwards signals, so that the caller can clean up; kills the command after the
 * grace period or at a second signal. Rejects with ConfigError when it cannot be started.
 */
export function runCommand(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { log, signals = process, output = 'stdout' }: StopOptions,
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const { program, args, options } = spawnable(command);
    const child = spawn(program, args, {
      ...options,
      stdio: ['inherit', output === 'stdout' ? 'inherit' : 2, 'inherit'],
      env: environment,
    });
    const stop = createStopper(child, log);
    const pass = (signal: NodeJS.Signals): void => stop.receive(signal, signals.stdin.isTTY === true);
    for (const signal of forwardedSignals) signals.on(signal, pass);
    const settle = (): void => {
      stop.over();
      forwardedSignals.forEach((signal) => signals.off(signal, pass));
    };
    child.once('error', (error) => {
      settle();
      reject(new ConfigError(`${command[0] ?? ''} cannot be run: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      settle();
      resolve(signal ?? String(code ?? 0));
    });
  });
}

/** The second signal of a name kills. Ctrl-C at a terminal has no grace period: interactive programs handle it. */
function createStopper(child: ChildProcess, log: (line: string) => void) {
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, then: () => void): void => void timers.push(setTimeout(then, ms));
  const received = new Map<NodeJS.Signals, 'just now' | 'before'>();
  const kill = (why: string): void => {
    if (signalProcess(child, 'SIGKILL')) log(`the command ${why}, it is killed`);
  };
  return {
    receive: (signal: NodeJS.Signals, isTerminal: boolean): void => {
      if (received.get(signal) === 'before') kill(`still runs at the second ${signal}`);
      if (received.has(signal)) return;
      received.set(signal, 'just now');
      after(repeatedSignalMs, () => received.set(signal, 'before'));
      const isPassedOn = isSentByTerminal(signal, isTerminal);
      const waits = isPassedOn ? 'a second Ctrl-C kills it' : `it is killed after 30 s, or at a second ${signal}`;
      after(stillRunningMs, () => log(`the command still runs after ${signal}: ${waits}`));
      if (isPassedOn) return;
      signalProcess(child, signal);
      after(graceMs, () => kill(`did not end within 30 s of ${signal}`));
    },
    over: (): void => timers.forEach((timer) => clearTimeout(timer)),
  };
}

/** 128 and the number of the signal, as in a shell. */
export function exitCodeOf(end: CommandEnd): number {
  const signal = Object.entries(constants.signals).find(([name]) => name === end)?.[1];
  return signal === undefined ? Number(end) : 128 + signal;
}
