import { Agent } from 'node:https';
import type { BytesAct, RequestAct } from './case.ts';
import { openHttp2 } from './http2-client.ts';
import type { Answer } from './run-acts.ts';
import { sendBytes } from './send-bytes.ts';
import { sendRequest } from './send-request.ts';
import type { FuzzServer } from './fuzz-server.ts';

/** Everything that can be sent to a server. */
export interface Clients {
  readonly send: (act: RequestAct | BytesAct) => Promise<Answer>;
  readonly close: () => void;
}

export function openClients(subject: FuzzServer): Clients {
  const where = { host: '127.0.0.1', port: subject.port, ...subject.credentials };
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const http2 = openHttp2(where);
  return {
    send: (act) => {
      if (act.act === 'bytes') return sendBytes(where, act);
      return act.http2 === true ? http2.send(act) : sendRequest({ ...where, agent }, act);
    },
    close: () => {
      agent.destroy();
      http2.close();
    },
  };
}
