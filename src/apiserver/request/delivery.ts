import type { YieldIfLong } from '../../machinery/yield-if-long.ts';
import type { WatchEvent } from './api-request.ts';

/** Events on their way to one watcher. */
export interface Delivery {
  /** Sends the event when those before it are sent; undefined is none. */
  readonly deliver: (make: () => Promise<WatchEvent | undefined>) => void;
  /** The same for the event of each item. */
  readonly deliverEach: <T>(
    items: readonly T[],
    make: (item: T) => Promise<WatchEvent | undefined>,
    yieldIfLong: YieldIfLong,
  ) => void;
}

/** The watch of a client that reads too slowly ends, as upstream ends it. */
const mostWaiting = 10_000;

/** Keeps the order of events, some of which a webhook converts. An ERROR is the last event of a watch. */
export function createDelivery(send: (event: WatchEvent) => void, end: () => void): Delivery {
  let last = Promise.resolve();
  let waiting = 0;
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    end();
  };
  const sendOne = (event: WatchEvent | undefined): void => {
    if (!event || isOver) return;
    send(event);
    if (event.type === 'ERROR') finish();
  };
  const sendAfter = (act: () => Promise<void>): void => {
    if (isOver) return;
    if (waiting >= mostWaiting) return finish();
    waiting += 1;
    last = last.then(act).then(() => {
      waiting -= 1;
    });
  };
  return {
    deliver: (make) => sendAfter(async () => sendOne(await make())),
    deliverEach: (items, make, yieldIfLong) =>
      sendAfter(async () => {
        for (const item of items) {
          if (isOver) return;
          sendOne(await make(item));
          await yieldIfLong();
        }
      }),
  };
}
