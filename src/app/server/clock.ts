import { performance } from 'node:perf_hooks';
import type { Clock } from '../../machinery/clock.ts';

const startedAt = performance.timeOrigin;

/** The time of a server. Who sleeps does not keep the process. */
export const clock: Clock = {
  now: () => startedAt + performance.now(),
  // Node's own makes an error for each sleeper that is woken, which thousands may be at once.
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
