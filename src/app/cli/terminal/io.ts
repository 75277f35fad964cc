/** Where a command prints: results to `out`, everything else to `error`; one line a call. */
export interface Io {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** Exit codes of every command (docs: fine, a scenario failed, bad usage or unreadable input). */
export const exitCodes = { fine: 0, failed: 1, usage: 2 } as const;

/** Says on standard error what is wrong with the use of a command; returns its exit code. */
export function usageError(io: Io, command: string, problem: string): number {
  io.error(`kadmit ${command}: ${problem}`);
  return exitCodes.usage;
}
