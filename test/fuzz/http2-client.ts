import { type ClientHttp2Session, connect } from 'node:http2';
import type { RequestAct } from './case.ts';
import { afterReading } from '../../src/adapters/webhook-client/call-failure.ts';
import type { Answer } from './run-acts.ts';
import { isWatch, responseTimeoutMs, unsendable, watchMs } from './timeouts.ts';
import type { ServerAddress } from './server-address.ts';

/** An HTTP/2 connection that is reopened after it was closed. */
export function openHttp2(where: ServerAddress) {
  let session: ClientHttp2Session | undefined;
  const open = (): ClientHttp2Session => {
    if (session !== undefined && !session.closed && !session.destroyed) return session;
    session = connect(`https://${where.host}:${where.port}`, where);
    session.on('error', () => undefined);
    return session;
  };
  return {
    send: (act: RequestAct): Promise<Answer> => sendOn(open(), act),
    close: (): void => session?.destroy(),
  };
}

function sendOn(session: ClientHttp2Session, { method, path, headers, body }: RequestAct): Promise<Answer> {
  return new Promise((resolve) => {
    try {
      const stream = session.request({ ':method': method, ':path': path, ...headers });
      const chunks: Buffer[] = [];
      let code = 0;
      const finish = (fate: Answer['fate']) => () => {
        clearTimeout(timer);
        afterReading(() => stream.destroyed || stream.destroy());
        resolve({ code, text: Buffer.concat(chunks).subarray(0, 4000).toString(), fate });
      };
      const timer = setTimeout(finish('silent'), responseTimeoutMs);
      stream.on('response', (answer) => {
        code = answer[':status'] ?? 0;
        if (isWatch(path)) setTimeout(finish('answered'), watchMs);
      });
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => (code === 0 ? finish('cut')() : finish('answered')()));
      stream.on('error', finish('cut'));
      stream.on('close', finish('cut'));
      stream.end(body);
    } catch (error) {
      resolve(unsendable(error));
    }
  });
}
