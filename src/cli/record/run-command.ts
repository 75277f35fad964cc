import { spawn } from 'node:child_process';
import { ConfigError } from '../../config/config-error.ts';

/** How a command ended: `0`, `1`, or the signal that ended it. */
export type CommandEnd = string;

/** Who is told of signals, and whether a terminal tells the command of Ctrl-C itself. */
interface Signals {
  readonly on: (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => unknown;
  readonly off: (signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void) => unknown;
  readonly stdin: { readonly isTTY?: boolean };
}

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command with this terminal and environment until it ends. A signal that would end this process goes to the
 * command, so that what stands around it is cleaned up after it. Throws ConfigError when it cannot be started.
 */
export function runCommand(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  signals: Signals = process,
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: environment });
    const pass = (signal: NodeJS.Signals): void => {
      if (signal !== 'SIGINT' || !signals.stdin.isTTY) child.kill(signal);
    };
    for (const signal of passedOn) signals.on(signal, pass);
    const settle = (): void => passedOn.forEach((signal) => signals.off(signal, pass));
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
