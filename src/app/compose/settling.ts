import { apiserverUser } from '../../controllers/client.ts';
import type { QueueProgress } from '../../controllers/work-queue.ts';
import type { Observers } from '../../apiserver/request/handle.ts';

/** What the server itself has still to do for definitions that were written. */
export interface SettlingMonitor {
  /** From now on this tells how far it is; undefined: nobody does it. */
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

/**
 * The observers, for whom the answer to a write to a definition waits until what it asks for is done: the next request finds the
 * resource served, or gone.
 */
export const settledAfterwards = (observers: Observers, { settled }: SettlingMonitor): Observers => ({
  ...observers,
  finished: async (finished) => {
    const { method, as, path } = finished.request;
    await observers.finished(finished);
    const mayWait = method !== 'GET' && as !== apiserverUser && path.startsWith(definitions);
    if (mayWait) await settled();
  },
});

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
