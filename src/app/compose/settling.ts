import { apiserverUser } from '../../controllers/client.ts';
import type { QueueProgress } from '../../controllers/work-queue.ts';
import type { Observers } from '../../apiserver/request/handle.ts';

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
