import type { Observers } from '../../apiserver/request/handle.ts';
import { abortReason } from '../../controllers/abort-signals.ts';
import { apiserverUser } from '../../controllers/client.ts';
import type { ControllersHandle } from '../../controllers/start-controllers.ts';
import type { QueueProgress } from '../../controllers/work-queue.ts';
import type { Clock } from '../../machinery/clock.ts';

const loadTimeoutMs = 30_000;

/**
 * Waits until the controllers are idle, for 30 s at most: a Job whose Pods lose their labels, or Stages in a cycle, keep them
 * busy for ever. After the first timeout, which `report` receives, it does not wait again.
 */
export function waitForQuiescence(
  idle: () => Promise<void>,
  { sleep }: Pick<Clock, 'sleep'>,
  report: (line: string) => void,
): () => Promise<void> {
  let isOver = false;
  return async () => {
    if (isOver) return;
    const quiet = new AbortController();
    const late = sleep(loadTimeoutMs, quiet.signal).then(() => {
      isOver = !quiet.signal.aborted;
    });
    await Promise.race([idle(), late]);
    quiet.abort(abortReason);
    if (isOver) report('controllers are still busy after 30 s; continuing without waiting for them');
  };
}

const settleTimeoutMs = 60_000;

/** Controllers that feed each other are idle in between: look at them 20 times, every 10 ms. */
const looks = { times: 20, every: 10 };

/** For programs: rejects with the busy controllers after 60 s. `sleep` is that of a real clock. */
export function requireQuiescence(
  { idle, busyControllers }: Pick<ControllersHandle, 'idle' | 'busyControllers'>,
  { sleep }: Pick<Clock, 'sleep'>,
): () => Promise<void> {
  return async () => {
    const quiet = new AbortController();
    const late = sleep(settleTimeoutMs, quiet.signal).then(() => !quiet.signal.aborted);
    const isLate = await Promise.race([idle().then(() => false), late]);
    quiet.abort(abortReason);
    if (!isLate) return;
    const names = new Set(busyControllers());
    for (let look = 0; look < looks.times; look += 1) {
      await sleep(looks.every);
      for (const name of busyControllers()) names.add(name);
    }
    throw new Error(`controllers are still busy after 60 s: ${[...names].toSorted().join(', ')}`);
  };
}

/** The server's own work after writes of CustomResourceDefinitions. */
export interface SettlingMonitor {
  /** undefined: no such work. */
  readonly follow: (progress: QueueProgress | undefined) => void;
  readonly settled: () => Promise<void>;
}

export function createSettlingMonitor(): SettlingMonitor {
  let followed: QueueProgress | undefined;
  return {
    follow: (progress) => {
      followed = progress;
    },
    settled: async () => followed?.whenIdle(),
  };
}

/** The response to a write of a CustomResourceDefinition waits until its resource is served, or gone. */
export const waitForDefinitions = (observers: Observers, { settled }: SettlingMonitor): Observers => ({
  ...observers,
  finished: async (finished) => {
    const { method, as, path } = finished.request;
    await observers.finished(finished);
    const mayWait = method !== 'GET' && as !== apiserverUser && path.startsWith(definitions);
    if (mayWait) await settled();
  },
});

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
