import type { Socket } from 'node:net';

/** The socket, once it is made ready; until then it is in `pending`, and it is closed when that fails. */
export async function readied(socket: Socket, pending: Set<Socket>, make: () => Promise<void>): Promise<Socket> {
  pending.add(socket);
  try {
    await make();
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  } finally {
    pending.delete(socket);
  }
}
