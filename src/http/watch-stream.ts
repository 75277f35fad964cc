import type { OutgoingHttpHeaders } from 'node:http';
import type { WatchEvent } from '../request/api-request.ts';
import type { Frame } from './encode.ts';
import type { WireWatch } from './write-response.ts';

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
export function streamWatch(response: WatchSink, watch: WireWatch, onBug: (error: unknown) => void): () => void {
  response.writeHead(200, watch.headers);
  response.flushHeaders?.();
  let over = false;
  let stop = (): void => {};
  const finish = (): void => {
    if (over) return;
    over = true;
    stop();
    response.end();
  };
  const guarded = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      onBug(error);
      finish();
    }
  };
  const send = (event: WatchEvent): void => {
    if (over) return;
    response.write(watch.frame(event));
    if (response.writableLength > mostUnread) finish();
  };
  response.once('close', finish);
  guarded(() => {
    stop = watch.open((event) => guarded(() => send(event)), finish);
  });
  if (over) stop(); // It ended while it was being opened.
  return finish;
}
