import type { OutgoingHttpHeaders } from 'node:http';
import type { WatchEvent } from '../../apiserver/request/api-request.ts';
import type { Frame } from './encode.ts';
import type { WireWatch } from './wire-response.ts';

/** What both of Node's response classes have. HTTP/2 sends the headers by itself. */
export interface WatchSink {
  readonly writeHead: (code: number, headers: OutgoingHttpHeaders) => unknown;
  readonly flushHeaders?: () => void;
  readonly write: (frame: Frame) => boolean;
  readonly end: () => unknown;
  readonly once: (event: 'close', listener: () => void) => unknown;
  readonly writableLength: number;
}

/** A client that lets this much pile up is cut off, and lists again. */
const mostUnread = 64 * 1024 * 1024;

/**
 * Sends watch events until the watch ends, the client goes or the returned function is called. The
 * headers go out at once: clients wait for them. A bug ends the watch and never reaches whoever sent the event.
 * Follows apiserver pkg/endpoints/handlers/watch.go.
 */
export function streamWatch(
  response: WatchSink,
  watch: WireWatch,
  onBug: (error: unknown) => void,
  pace: (write: (frame: Frame) => void) => Frames = joinFrames,
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
    frames.flush();
    response.end();
  };
  const failed = (error: unknown): void => {
    onBug(error);
    finish();
  };
  const send = (event: WatchEvent): void => {
    if (over) return;
    try {
      frames.add(watch.frame(event));
      if (response.writableLength > mostUnread) finish();
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

/** For a sink that sends messages: each event is one. */
export const singleFrames = (write: (frame: Frame) => void): Frames => ({
  add: write,
  flush: () => {},
  drop: () => {},
});

/** For so long frames are held back once one has been sent. */
const holdMs = 4;
/** Of frames held back, in bytes or characters. */
const mostHeld = 64 * 1024;

/** Writes what was held back; false: nothing was. */
type Release = () => boolean;

/** Who holds frames back until the next timer. */
let holders: Release[] = [];
/** Milliseconds for which they do: so long that to send to all of them takes a third of it, as it did the last time. */
let holdFor = holdMs;
const longestHold = 16;

/** An event goes to all its watchers at once: they have one timer. */
function afterHolding(release: Release): void {
  if (holders.push(release) === 1) setTimeout(releaseAll, holdFor);
}

function releaseAll(): void {
  const all = holders;
  holders = [];
  const began = performance.now();
  let hasWritten = false;
  for (const release of all) hasWritten = release() || hasWritten;
  if (hasWritten) holdFor = Math.min(Math.max(holdMs, 3 * (performance.now() - began)), longestHold);
}

interface Frames {
  readonly add: (frame: Frame) => void;
  /** Writes what is held back. */
  readonly flush: () => void;
  /** Forgets what is held back. */
  readonly drop: () => void;
}

/**
 * Writes a frame at once, and those that follow it closely together: for a busy watch a record of TLS and a call of the
 * system for each cost more than the events.
 */
function joinFrames(write: (joined: Frame) => void): Frames {
  let held: Frame[] = [];
  let length = 0;
  let isHolding = false;
  const flush = (): void => {
    if (held.length === 0) return;
    const joined = join(held);
    [held, length] = [[], 0];
    write(joined);
  };
  const release = (): boolean => {
    isHolding = held.length > 0;
    if (isHolding) afterHolding(release);
    flush();
    return isHolding;
  };
  return {
    flush,
    drop: () => {
      [held, length] = [[], 0];
    },
    add: (frame) => {
      held.push(frame);
      length += frame.length;
      if (isHolding && length < mostHeld) return;
      flush();
      if (isHolding) return;
      isHolding = true;
      afterHolding(release);
    },
  };
}

function join(frames: readonly Frame[]): Frame {
  const [first = ''] = frames;
  if (frames.length === 1) return first;
  const texts = frames.filter((frame) => typeof frame === 'string');
  if (texts.length === frames.length) return texts.join('');
  return Buffer.concat(frames.map((frame) => (typeof frame === 'string' ? Buffer.from(frame) : frame)));
}
