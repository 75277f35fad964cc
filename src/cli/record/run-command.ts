import { spawn } from 'node:child_process';
import { ConfigError } from '../../config/config-error.ts';

/** How a command ended: `0`, `1`, or the signal that ended it. */
export type CommandEnd = string;

/** Runs a command with this terminal and environment until it ends. Throws ConfigError when it cannot be started. */
export function runCommand(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: environment });
    child.once('error', (error) => reject(new ConfigError(`${program} cannot be run: ${error.message}`)));
    child.once('close', (code, signal) => resolve(signal ?? String(code ?? 0)));
  });
}
