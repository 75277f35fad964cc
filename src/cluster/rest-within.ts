import type { Clock } from '../apimachinery/clock.ts';

/** So long the first objects are waited for. */
const patienceMs = 30_000;

/**
 * Waits until the controllers rest, but not for ever: a Job whose Pods lose their labels, or Stages that follow each other in
 * a circle, leave them something to do again and again. Says so once, and does not wait any more then.
 */
export function restWithin(
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
