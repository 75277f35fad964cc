import type { World } from '../world.ts';

/** Lets requests through until it is closed, so that nothing is made behind the back of the cleaning up. */
export interface Gate {
  readonly send: World['send'];
  /** Waits for the requests under way, after `hurry` has seen to it that they end, then finishes; once, however often called. */
  readonly close: (finish: () => Promise<void>, hurry: () => Promise<void>) => Promise<void>;
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
    close: (finish, hurry) => {
      closing ??= ended(underWay, hurry).then(finish);
      return closing;
    },
  };
}

async function ended(underWay: ReadonlySet<Promise<unknown>>, hurry: () => Promise<void>): Promise<void> {
  if (underWay.size === 0) return;
  await hurry();
  await Promise.allSettled(underWay);
}
