import type { Clock } from '../../machinery/clock.ts';
import type { ControllersHandle } from '../../controllers/start-controllers.ts';

/** So long the first objects are waited for. */
const patienceMs = 30_000;

/**
 * Waits until the controllers rest, but not for ever: a Job whose Pods lose their labels, or Stages that follow each other in
 * a circle, leave them something to do again and again. Says so once, and does not wait any more then.
 */
export function waitForQuiescence(
  idle: () => Promise<void>,
  { sleep }: Pick<Clock, 'sleep'>,
  tell: (line: string) => void,
): () => Promise<void> {
  let isOver = false;
  return async () => {
    if (isOver) return;
    const rested = new AbortController();
    const late = sleep(patienceMs, rested.signal).then(() => {
      isOver = !rested.signal.aborted;
    });
    await Promise.race([idle(), late]);
    rested.abort();
    if (isOver) tell('controllers have still something to do after 30 s, and are not waited for any longer');
  };
}

/** So long a program waits that asked for rest. */
const longestMs = 60_000;

/** Whoever gives others something to do is at rest now and then: they are looked at so often, in milliseconds. */
const looks = { times: 20, every: 10 };

/** The same for a program: throws who has still something to do. `sleep` is that of a real clock. */
export function requireQuiescence(
  { idle, busyControllers }: Pick<ControllersHandle, 'idle' | 'busyControllers'>,
  { sleep }: Pick<Clock, 'sleep'>,
): () => Promise<void> {
  return async () => {
    const rested = new AbortController();
    const late = sleep(longestMs, rested.signal).then(() => !rested.signal.aborted);
    const isLate = await Promise.race([idle().then(() => false), late]);
    rested.abort();
    if (!isLate) return;
    const names = new Set(busyControllers());
    for (let look = 0; look < looks.times; look += 1) {
      await sleep(looks.every);
      for (const name of busyControllers()) names.add(name);
    }
    throw new Error(`controllers have still something to do after 60 s: ${[...names].toSorted().join(', ')}`);
  };
}
