import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { inTime } from './pause.ts';

type Take = (socket: Socket) => void;

/** Who says nothing for so long is hung up on, as Node does during a handshake. */
const patienceMs = 120_000;

/**
 * Takes up a connection when its client has said something and there is time: of hundreds that come together, Node would shake
 * hands with all in one turn of the loop.
 */
export function shakeHandsInTime(server: EventEmitter): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what listens for connections takes them
  const takes = server.listeners('connection') as Take[];
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    socket.on('error', ignore);
    // Of a timer of the socket's own every later read and write would start the clock again, even once it is given up.
    const silent = setTimeout(() => socket.destroy(), patienceMs).unref();
    socket.once('close', () => clearTimeout(silent));
    socket.once('readable', () =>
      inTime(() => {
        clearTimeout(silent);
        if (socket.destroyed) return;
        for (const take of takes) take.call(server, socket);
      }),
    );
  });
}

/** It is closed then. */
const ignore = (): void => {};
