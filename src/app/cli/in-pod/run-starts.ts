import { setTimeout as sleep } from 'node:timers/promises';
import { errorText } from '../../../machinery/errors.ts';
import type { AccountCredentials } from './pod-files.ts';

interface StartOptions {
  readonly program: string;
  readonly policy: RestartPolicy;
  readonly credentials: Pick<AccountCredentials, 'renew'> | undefined;
  /** Describes the program in traces. */
  readonly describe: (program: string) => Promise<void>;
  readonly log: (line: string) => void;
}

/**
 * Runs a program until its restart policy or a signal ends it. Each start has a new token, and traces show which start responded.
 * Resolves with the last exit code.
 */
export async function runStarts(
  run: () => Promise<number>,
  { program, policy, credentials, describe, log }: StartOptions,
): Promise<number> {
  const { stopped, settle } = untilSignalled();
  // A lost server must not end the program.
  const tried = (doing: Promise<unknown> | undefined): Promise<unknown> =>
    Promise.resolve(doing).catch((error: unknown) => log(errorText(error)));
  try {
    return await runWithRestarts({
      policy,
      start: async (count) => {
        if (count > 1) await tried(credentials?.renew());
        if (count > 1) await tried(describe(`${program}, start ${count}`));
        return run();
      },
      waits: async ({ exitCode, delayMs, count }) => {
        const next = delayMs === 0 ? 'follows' : `is in ${delayMs / 1000} s`;
        const what = `ended with exit code ${exitCode}; start ${count} ${next}`;
        log(`${program} ${what}`);
        await tried(describe(`${program}, which ${what}`));
      },
      sleep: (ms) => sleep(ms, undefined, { signal: stopped }),
      now: () => performance.now(),
      stopped,
    });
  } finally {
    settle();
  }
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Aborts `stopped` at the first signal that would end this process, and keeps it alive until `settle`. */
function untilSignalled(): { readonly stopped: AbortSignal; readonly settle: () => void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  for (const signal of stopSignals) process.on(signal, stop);
  return {
    stopped: controller.signal,
    settle: () => {
      for (const signal of stopSignals) process.off(signal, stop);
    },
  };
}

export interface RestartingProcess {
  readonly policy: RestartPolicy;
  /** Starts it for the `count`th time; resolves with its exit code when it has ended. */
  readonly start: (count: number) => Promise<number>;
  /** Called between the end and the `count`th start. */
  readonly waits: (ended: {
    readonly exitCode: number;
    readonly delayMs: number;
    readonly count: number;
  }) => Promise<void>;
  /** Waits; rejects when `stopped` aborts. */
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly now: () => number;
  readonly stopped: AbortSignal;
}

/** Resolves with the last exit code. */
export async function runWithRestarts({
  policy,
  start,
  waits,
  sleep,
  now,
  stopped,
}: RestartingProcess): Promise<number> {
  let backOff = noBackOff;
  for (let count = 1; ; count += 1) {
    const began = now();
    const exitCode = await start(count);
    const due = stopped.aborted ? undefined : backOffAfter({ exitCode, ranMs: now() - began }, policy, backOff);
    if (due === undefined) return exitCode;
    backOff = due;
    await waits({ exitCode, delayMs: due.delayMs, count: count + 1 });
    if (!(await sleepUnlessStopped(sleep(due.delayMs)))) return exitCode;
  }
}

const sleepUnlessStopped = (sleeping: Promise<unknown>): Promise<boolean> =>
  sleeping.then(
    () => true,
    () => false,
  );

/** As in the spec of a Pod. */
export type RestartPolicy = 'Never' | 'OnFailure' | 'Always';

export const restartPolicies: readonly RestartPolicy[] = ['Never', 'OnFailure', 'Always'];

const firstMs = 10_000;
const maxMs = 300_000;
/** A program that ran this long has no back-off. */
const backOffResetMs = 2 * maxMs;

/** Delay of the next start, and of the one after it. */
export interface BackOff {
  readonly delayMs: number;
  readonly nextMs: number;
}

/** Before the first end of a program. */
export const noBackOff: BackOff = { delayMs: 0, nextMs: 0 };

/**
 * The delay after a program has ended; undefined when it is not restarted. Follows kubernetes
 * pkg/kubelet/container/helpers.go ShouldContainerBeRestarted, pkg/kubelet/kuberuntime doBackOff and client-go
 * util/flowcontrol/backoff.go: at once, then 10 s, 20 s, up to 5 minutes.
 */
export function backOffAfter(
  { exitCode, ranMs }: { readonly exitCode: number; readonly ranMs: number },
  policy: RestartPolicy,
  { nextMs }: BackOff,
): BackOff | undefined {
  if (policy === 'Never' || (policy === 'OnFailure' && exitCode === 0)) return undefined;
  if (nextMs === 0 || ranMs > backOffResetMs) return { delayMs: 0, nextMs: firstMs };
  return { delayMs: nextMs, nextMs: Math.min(nextMs * 2, maxMs) };
}
