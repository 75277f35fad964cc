import type { OutgoingHttpHeaders } from 'node:http';
import { constants, createGzip } from 'node:zlib';
import type { WatchEvent } from '../../apiserver/request/api-request.ts';
import type { WatchFrame, WireWatch } from './encode.ts';

/** The part that both of Node's response classes share. */
export interface WatchSink {
  readonly writeHead: (code: number, headers: OutgoingHttpHeaders) => unknown;
  readonly flushHeaders?: () => void;
  readonly write: (frame: WatchFrame) => boolean;
  readonly end: () => unknown;
  readonly once: (event: 'close', listener: () => void) => unknown;
  readonly writableLength: number;
}

/** Bytes. A client with more unread events is disconnected; it lists again. */
const maxUnreadBytes = 64 * 1024 * 1024;

/**
 * Sends watch events until the watch ends, the client disconnects or the returned function is called. Clients wait for the
 * headers, so these are sent at once. Follows apiserver pkg/endpoints/handlers/watch.go.
 */
export function streamWatch(
  response: WatchSink,
  watch: WireWatch,
  onBug: (error: unknown) => void,
  pace: (write: (frame: WatchFrame) => void) => Frames = watch.isZipped ? zipFrames : joinFrames,
): () => void {
  response.writeHead(200, watch.headers);
  response.flushHeaders?.();
  const frames = pace((joined) => {
    try {
      response.write(joined);
    } catch (error) {
      failed(error);
    }
  });
  let over = false;
  let stop = (): void => {};
  const finish = (): void => {
    if (over) return;
    over = true;
    stop();
    frames.end(() => response.end());
  };
  const failed = (error: unknown): void => {
    onBug(error);
    finish();
  };
  const send = (event: WatchEvent): void => {
    if (over) return;
    try {
      frames.add(watch.frame(event));
      if (response.writableLength > maxUnreadBytes) finish();
    } catch (error) {
      failed(error);
    }
  };
  response.once('close', () => {
    frames.drop();
    finish();
  });
  try {
    stop = watch.open(send, finish);
  } catch (error) {
    failed(error);
  }
  if (over) stop(); // It ended while it was being opened.
  return finish;
}

/** For WebSockets: each event is a message. */
export const singleFrames = (write: (frame: WatchFrame) => void): Frames => ({
  add: write,
  drop: () => {},
  end: (done) => done(),
});

/** Milliseconds for which frames wait after one was sent. */
const holdMs = 4;
/** Of frames that wait, in bytes or characters. */
const maxHeldBytes = 64 * 1024;

interface Frames {
  readonly add: (frame: WatchFrame) => void;
  readonly drop: () => void;
  /** Writes what waits, then calls `done`. */
  readonly end: (done: () => void) => void;
}

/**
 * Writes a frame at once and joins those that follow within `holdMs`: for a busy watch a TLS record and a system call per
 * event cost more than the event.
 */
function joinFrames(write: (joined: WatchFrame) => void): Frames {
  let held: WatchFrame[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    if (held.length === 0) return;
    const joined = join(held);
    [held, length] = [[], 0];
    write(joined);
  };
  const release = (): void => {
    timer = held.length === 0 ? undefined : setTimeout(release, holdMs);
    flush();
  };
  return {
    drop: () => {
      [held, length] = [[], 0];
    },
    end: (done) => {
      flush();
      done();
    },
    add: (frame) => {
      held.push(frame);
      length += frame.length;
      if (timer && length < maxHeldBytes) return;
      flush();
      timer ??= setTimeout(release, holdMs);
    },
  };
}

/**
 * One gzip stream, flushed after each write. Go's reader hands out the end of a gzip file only when it knows whether another one
 * follows, so a file for each write would be read one event late.
 */
function zipFrames(write: (zipped: WatchFrame) => void): Frames {
  const gzip = createGzip({ level: 1, flush: constants.Z_SYNC_FLUSH });
  gzip.on('data', write);
  const frames = joinFrames((joined) => void gzip.write(joined));
  return {
    ...frames,
    end: (done) =>
      frames.end(() => {
        gzip.once('end', done);
        gzip.end();
      }),
  };
}

function join(frames: readonly WatchFrame[]): WatchFrame {
  const [first = ''] = frames;
  if (frames.length === 1) return first;
  const texts = frames.filter((frame) => typeof frame === 'string');
  if (texts.length === frames.length) return texts.join('');
  return Buffer.concat(frames.map((frame) => (typeof frame === 'string' ? Buffer.from(frame) : frame)));
}
