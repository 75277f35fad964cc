import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Clock } from '../../machinery/clock.ts';

const startedAt = performance.timeOrigin;

/** The real clock. Sleeping does not keep the process alive. */
export const clock: Clock = {
  now: () => startedAt + performance.now(),
  // timers/promises makes an error for each aborted sleep; thousands may end at once.
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds).unref();
      signal?.addEventListener('abort', wake);
    }),
};

/** A random UUID in one piece. What randomUUID returns keeps the twenty texts that it was joined of. */
export const newUid = (): string => Buffer.from(randomUUID(), 'latin1').toString('latin1');
