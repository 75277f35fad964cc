import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { ConfigError } from '../../../adapters/config/config-error.ts';

/** How a command ended: `0`, `1`, or the signal that ended it. */
export type CommandEnd = string;

/** Who is told of signals, and whether a terminal tells the command of Ctrl-C itself. */
interface Signals {
  readonly on: (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => unknown;
  readonly off: (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => unknown;
  readonly stdin: { readonly isTTY?: boolean };
}

export interface Stopping {
  /** Hears a line about a command that goes on after it was told to end. */
  readonly say: (line: string) => void;
  readonly signals?: Signals;
}

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Between a signal and SIGKILL: what a Pod has when its terminationGracePeriodSeconds is left out. */
const graceMs = 30_000;
/** After so long it is told that we wait. */
const quietMs = 1_000;
/** npx tells us of a Ctrl-C that the terminal has told us of: what comes so soon is the same one. */
const onceMs = 300;

/**
 * Runs a command with this terminal and environment until it ends. A signal that would end this process goes to the
 * command, so that what stands around it is cleaned up after it; a command that goes on is killed when its grace is over,
 * or by the second signal. Throws ConfigError when it cannot be started.
 */
export function runCommand(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  { say, signals = process }: Stopping,
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: environment });
    const stop = stopper(child, say);
    const pass = (signal: NodeJS.Signals): void => stop.heard(signal, signals.stdin.isTTY === true);
    for (const signal of passedOn) signals.on(signal, pass);
    const settle = (): void => {
      stop.over();
      passedOn.forEach((signal) => signals.off(signal, pass));
    };
    child.once('error', (error) => {
      settle();
      reject(new ConfigError(`${program} cannot be run: ${error.message}`));
    });
    child.once('close', (code, signal) => {
      settle();
      resolve(signal ?? String(code ?? 0));
    });
  });
}

/**
 * Passes signals on; the second of a name kills. Ctrl-C at a terminal has been passed on already, and has no grace: what
 * one talks to there may use it for something else.
 */
function stopper(child: ChildProcess, say: (line: string) => void) {
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, then: () => void): void => void timers.push(setTimeout(then, ms));
  const heard = new Map<NodeJS.Signals, 'just now' | 'before'>();
  const kill = (why: string): void => {
    if (child.kill('SIGKILL')) say(`the command ${why}, it is killed`);
  };
  return {
    heard: (signal: NodeJS.Signals, isTerminal: boolean): void => {
      if (heard.get(signal) === 'before') kill(`still runs at the second ${signal}`);
      if (heard.has(signal)) return;
      heard.set(signal, 'just now');
      after(onceMs, () => heard.set(signal, 'before'));
      const isPassedOn = isTerminal && signal === 'SIGINT';
      const waits = isPassedOn ? 'a second Ctrl-C kills it' : `it is killed after 30 s, or at a second ${signal}`;
      after(quietMs, () => say(`the command still runs after ${signal}: ${waits}`));
      if (isPassedOn) return;
      child.kill(signal);
      after(graceMs, () => kill(`did not end within 30 s of ${signal}`));
    },
    over: (): void => timers.forEach((timer) => clearTimeout(timer)),
  };
}
