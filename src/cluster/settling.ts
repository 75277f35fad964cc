import { apiserverUser } from '../controllers/client.ts';
import type { Progress } from '../controllers/work-queue.ts';
import type { Handle } from '../request/handle.ts';

/** What the server itself has still to do for definitions that were written. */
export interface Settling {
  /** From now on this tells how far it is; undefined: nobody does it. */
  readonly follow: (progress: Progress | undefined) => void;
  readonly settled: () => Promise<void>;
}

export function createSettling(): Settling {
  let followed: Progress | undefined;
  return {
    follow: (progress) => {
      followed = progress;
    },
    settled: async () => followed?.whenIdle(),
  };
}

/** Answers a write to a definition when what it asks for is done: the next request finds the resource served, or gone. */
export const settledAfterwards =
  (handle: Handle, { settled }: Settling): Handle =>
  async (request) => {
    const response = await handle(request);
    const mayWait = request.method !== 'GET' && request.as !== apiserverUser;
    if (mayWait && request.path.startsWith(definitions)) await settled();
    return response;
  };

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
