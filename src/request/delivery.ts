import { whenKnown } from '../apimachinery/eventually.ts';
import type { Eventually } from '../apimachinery/eventually.ts';
import type { YieldIfLong } from '../apimachinery/yield-if-long.ts';
import type { WatchEvent } from './api-request.ts';

/** Events on their way to one watcher. */
export interface Delivery {
  /** Sends the event as soon as it is known and those before it have gone; undefined is none. */
  readonly deliver: (make: () => Eventually<WatchEvent | undefined>) => void;
  /** The same for what each of the items comes to, one after the other: there may be very many. */
  readonly deliverEach: <T>(
    items: readonly T[],
    make: (item: T) => Eventually<WatchEvent | undefined>,
    yieldIfLong: YieldIfLong,
  ) => void;
}

/** A watcher that has fallen so far behind is let go, as upstream lets go whoever does not read. */
const mostWaiting = 10_000;

/**
 * Keeps the order of events some of which must be waited for; none is held up while there is nothing to wait for. An
 * ERROR is the last event of a watch.
 */
export function createDelivery(send: (event: WatchEvent) => void, end: () => void): Delivery {
  let last: Promise<void> | undefined;
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
  const follow = (sending: Promise<void>): void => {
    waiting += 1;
    const mine = sending.then(() => {
      waiting -= 1;
      if (last === mine) last = undefined;
    });
    last = mine;
  };
  const sendAfter = (act: () => Eventually<void>): void => {
    if (isOver) return;
    if (waiting >= mostWaiting) return finish();
    const sending = last ? last.then(act) : act();
    if (sending instanceof Promise) follow(sending);
  };
  return {
    deliver: (make) => {
      if (last) return sendAfter(() => whenKnown(make(), sendOne));
      if (isOver) return;
      const event = make();
      if (event instanceof Promise) follow(event.then(sendOne));
      else sendOne(event);
    },
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
