import { backOffAfter, noBackOff } from './restarts.ts';
import type { RestartPolicy } from './restarts.ts';

export interface Running {
  readonly policy: RestartPolicy;
  /** Starts it for the `count`th time; resolves with its exit code when it has ended. */
  readonly start: (count: number) => Promise<number>;
  /** Is told that it has ended and is started for the `count`th time after a while. */
  readonly waits: (ended: {
    readonly exitCode: number;
    readonly delayMs: number;
    readonly count: number;
  }) => Promise<void>;
  /** Waits; rejects when `stopped` aborts. */
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly now: () => number;
  /** Somebody wants it to end. */
  readonly stopped: AbortSignal;
}

/** Runs a program as often as its policy says; resolves with the exit code of its last end. */
export async function runAgain({ policy, start, waits, sleep, now, stopped }: Running): Promise<number> {
  let backOff = noBackOff;
  for (let count = 1; ; count += 1) {
    const began = now();
    const exitCode = await start(count);
    const due = stopped.aborted ? undefined : backOffAfter({ exitCode, ranMs: now() - began }, policy, backOff);
    if (due === undefined) return exitCode;
    backOff = due;
    await waits({ exitCode, delayMs: due.delayMs, count: count + 1 });
    if (!(await slept(sleep(due.delayMs)))) return exitCode;
  }
}

const slept = (sleeping: Promise<unknown>): Promise<boolean> =>
  sleeping.then(
    () => true,
    () => false,
  );
