import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import type { BytesAct } from './case.ts';
import type { Answer } from './run-acts.ts';
import type { ServerAddress } from './server-address.ts';

/** After invalid bytes a server may wait for more, so no response is a valid result. */
const waitMs = 60;

/** Writes the chunks in sequence and reads the response. */
export async function sendBytes(where: ServerAddress, { protocol, chunks }: BytesAct): Promise<Answer> {
  const socket = connect({
    ...where,
    ALPNProtocols: [protocol],
    servername: 'localhost',
    checkServerIdentity: () => undefined,
  });
  const received: Buffer[] = [];
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => received.push(chunk));
  for (const [index, chunk] of chunks.entries()) {
    if (index > 0) await sleep(1);
    if (socket.writable) socket.write(chunk);
  }
  await Promise.race([closed, sleep(waitMs)]);
  socket.destroy();
  const text = Buffer.concat(received).subarray(0, 4000).toString('latin1');
  // Of several responses the worst one counts.
  const codes = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, code]) => Number(code));
  return { code: Math.max(0, ...codes), text, fate: 'answered' };
}
