import { type Agent, request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { RequestAct } from './case.ts';
import type { Answer } from './run-acts.ts';
import { isWatch, responseTimeoutMs, unsendable, watchMs } from './timeouts.ts';
import type { ServerAddress } from './server-address.ts';

/** One request over HTTP/1.1. */
export function sendRequest(where: ServerAddress & { readonly agent: Agent }, act: RequestAct): Promise<Answer> {
  return new Promise((resolve) => {
    const options: RequestOptions = { ...where, method: act.method, path: act.path, headers: headersOf(act) };
    try {
      const sent = request(options);
      const timer = setTimeout(() => finish({ code: 0, text: '', fate: 'silent' }), responseTimeoutMs);
      const finish = (answer: Answer): void => {
        clearTimeout(timer);
        if (answer.fate !== 'answered' || isWatch(act.path)) sent.destroy();
        resolve(answer);
      };
      sent.on('error', (error) => finish({ code: 0, text: String(error), fate: 'cut' }));
      sent.on('upgrade', (response, socket) => {
        socket.destroy();
        finish({ code: response.statusCode ?? 0, text: '', fate: 'answered' });
      });
      sent.on('response', (response) => void read(response, isWatch(act.path)).then(finish));
      sent.end(act.body);
    } catch (error) {
      resolve(unsendable(error));
    }
  });
}

const headersOf = ({ headers, body }: RequestAct) => ({ 'content-length': body.length, ...headers });

function read(response: IncomingMessage, watches: boolean): Promise<Answer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (fate: Answer['fate']) => () => {
      const text = Buffer.concat(chunks).subarray(0, 4000).toString();
      resolve({ code: response.statusCode ?? 0, text, fate });
    };
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', finish('answered'));
    response.on('error', finish('cut'));
    if (watches) setTimeout(finish('answered'), watchMs);
  });
}
