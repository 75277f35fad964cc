import type { World } from '../world.ts';

/** Lets requests through until it is closed, so that nothing is made behind the back of the cleaning up. */
export interface Gate {
  readonly send: World['send'];
  /** Waits for the requests under way, then finishes; once, however often it is called. */
  readonly close: (finish: () => Promise<void>) => Promise<void>;
}

export function createGate(send: World['send']): Gate {
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  return {
    send: async (request) => {
      if (closing) throw new Error('the run was interrupted');
      const answer = send(request);
      underWay.add(answer);
      return answer.finally(() => underWay.delete(answer));
    },
    close: (finish) => {
      closing ??= Promise.allSettled(underWay).then(finish);
      return closing;
    },
  };
}
