import { CallError, grpcCode } from './call-error.ts';
import { openStream } from './grpc-call.ts';
import type { Call } from './grpc-call.ts';
import type { ConnectionKeeper } from './grpc-session.ts';
import { decode, encode } from './wire.ts';
import type { WatchResponse } from './wire.ts';

/** What is heard of a watch. What `answered` throws ends it; the next answer is not told before it has resolved. */
export interface WatchHeard {
  readonly answered: (response: WatchResponse) => void | Promise<void>;
  /** Once, and nothing after it. */
  readonly ended: (error: unknown) => void;
}

/** A watch that is being opened, or is open: what is sent before waits. */
export interface WatchCall {
  readonly send: (message: object) => void;
  readonly cancel: () => void;
}

/** A member that lost the others ends a watch instead of keeping silent. Follows clientv3.WithRequireLeader. */
const withLeader = { hasleader: 'true' };

/** Opens a watch as soon as there is a session. */
export function openWatch({ session }: ConnectionKeeper, path: string, heard: WatchHeard): WatchCall {
  let waiting: object[] = [];
  let call: Call | undefined;
  let isOver = false;
  const ended = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    heard.ended(error);
    call?.cancel();
  };
  const answered = (bytes: Buffer): void | Promise<void> =>
    isOver ? undefined : heard.answered(decode('WatchRequest', bytes));
  const message = oneAfterOther(answered, { hold: (isHeld) => call?.hold(isHeld), failed: ended });
  const open = async (): Promise<void> => {
    const opened = await session();
    if (isOver) return;
    const over = (error = new CallError(grpcCode.unknown, 'etcd ended the watch')): void => ended(error);
    call = openStream(opened, path, { message, ended: over }, withLeader);
    for (const one of waiting) call.send(encode('WatchRequest', one));
    waiting = [];
  };
  open().catch(ended);
  return {
    send: (one) => (call ? call.send(encode('WatchRequest', one)) : void waiting.push(one)),
    cancel: () => {
      isOver = true;
      call?.cancel();
    },
  };
}

interface Turns {
  /** Told before and after somebody takes their time. */
  readonly hold: (isHeld: boolean) => void;
  readonly failed: (error: unknown) => void;
}

/** Tells one thing after the other: at once, or when whoever was told of the one before is done with it. */
function oneAfterOther<T>(tell: (one: T) => void | Promise<void>, { hold, failed }: Turns): (one: T) => void {
  const queue: T[] = [];
  let isBusy = false;
  const goOn = async (): Promise<void> => {
    isBusy = true;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const waiting = tell(next);
      if (!waiting) continue;
      hold(true);
      await waiting;
      hold(false);
    }
    isBusy = false;
  };
  return (one) => {
    queue.push(one);
    if (!isBusy) goOn().catch(failed);
  };
}
