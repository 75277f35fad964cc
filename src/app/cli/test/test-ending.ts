import { limitText } from '../../../testing/scenario/run-limits.ts';

/** What may end a run of `kadmit test` before it is over. */
export interface Ending {
  /** Aborts with why, in words. */
  readonly signal: AbortSignal;
  /** Ctrl-C did it. */
  readonly isInterrupted: () => boolean;
  readonly close: () => void;
}

/** Ctrl-C, SIGTERM, or the end of the time that the run has; 0: it has all the time. A second Ctrl-C ends the process. */
export function createEnding(timeout: number): Ending {
  const controller = new AbortController();
  let isInterrupted = false;
  const interrupt = (): void => {
    isInterrupted = true;
    controller.abort('interrupted');
    off();
  };
  const off = (): void => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  for (const signal of signals) process.on(signal, interrupt);
  const late = (): void => controller.abort(`--timeout ${limitText(timeout)} is over`);
  const timer = timeout > 0 ? setTimeout(late, timeout) : undefined;
  return {
    signal: controller.signal,
    isInterrupted: () => isInterrupted,
    close: () => {
      off();
      clearTimeout(timer);
    },
  };
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Of a process that Ctrl-C ended. */
export const interruptedCode = 130;

/**
 * Sees to it that the process does not end well before the run is over: a script in it may call process.exit. Returns
 * what says that the run is over.
 */
export function guardExit(complain: (text: string) => void): () => void {
  const onExit = (code: number): void => {
    if (code !== 0) return;
    complain('something ended the process before the run was over; was it a script?');
    process.exitCode = 1;
  };
  process.on('exit', onExit);
  return () => process.off('exit', onExit);
}
