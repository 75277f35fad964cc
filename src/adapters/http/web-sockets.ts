import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { singleFrames, type WatchSink } from './watch-stream.ts';

type StreamTo = (sink: WatchSink, pace?: typeof singleFrames) => void;

interface WebSockets {
  /**
   * Streams to the request's WebSocket after a handshake, otherwise to its response. Refuses an invalid handshake.
   * Follows apimachinery pkg/util/httpstream/wsstream.
   */
  readonly sinkFor: (request: object, response: WatchSink, stream: StreamTo) => Promise<void>;
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly head: Buffer;
}

/**
 * Serves an upgrade request like any other until a watch accepts it; Node would not answer it. Its connection carries
 * nothing else.
 */
export function serveUpgrades(server: Http2SecureServer): WebSockets {
  // Of requests that are under way: Node hands the socket of an upgrade to its listener alone.
  const upgrades = new WeakMap<object, Upgrade>();
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    // The request was pipelined before the response ahead of it.
    if (!isAssigned(response, socket)) return void socket.destroy();
    socket.on('error', () => socket.destroy());
    socket.once('close', () => response.emit('close'));
    response.once('finish', () => socket.destroySoon());
    upgrades.set(request, { request, response, socket, head });
    server.emit('request', request, response);
  });
  return {
    async sinkFor(request, response, stream) {
      const upgrade = upgrades.get(request);
      const isWanted = upgrade?.request.headers.upgrade?.toLowerCase() === 'websocket';
      if (upgrade && isWanted) await shakeHands(upgrade, (sink) => stream(sink, singleFrames));
      else stream(response);
    },
  };
}

/** False when the socket still belongs to another response. */
function isAssigned(response: ServerResponse, socket: Socket): boolean {
  try {
    response.assignSocket(socket);
    return true;
  } catch {
    return false;
  }
}

/** Bytes: clients send close frames only. */
const maxClientFrameBytes = 4096;

/** Bytes. */
const maxUnreadBytes = 1024 * 1024;

async function shakeHands(upgrade: Upgrade, accepted: (sink: WatchSink) => void): Promise<void> {
  const { request, response, socket, head } = upgrade;
  response.detachSocket(socket);
  if (!URL.canParse(request.headers.origin ?? '')) return refuse(socket);
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: maxClientFrameBytes });
  server.handleUpgrade(request, socket, head, (peer) => {
    peer.on('error', () => peer.terminate());
    // Each ping is answered; a client that does not read the answers would fill the memory.
    peer.on('ping', () => peer.bufferedAmount > maxUnreadBytes && peer.terminate());
    accepted({
      writeHead: () => undefined,
      write: (frame) => {
        peer.send(frame);
        return true;
      },
      end: () => peer.close(),
      once: (event, listener) => peer.once(event, listener),
      get writableLength() {
        return peer.bufferedAmount;
      },
    });
  });
}

/** golang.org/x/net/websocket refuses requests without an origin. */
function refuse(socket: Duplex): void {
  socket.end('HTTP/1.1 403 Forbidden\r\nSec-WebSocket-Version: 13\r\nConnection: close\r\n\r\n');
}
