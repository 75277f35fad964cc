import { bareHost } from '../../../machinery/url-address.ts';
import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { errorText } from '../../../machinery/error-text.ts';
import { callServer } from '../../../adapters/config/kubeconfig/call-server.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/server-access.ts';
import { ok, untilCheck } from './check.ts';
import type { Check } from './check.ts';

const patienceMs = 5000;

/** Does it answer, is it kadmit, who is asking, and how long are the certificates good? */
export async function lookAtServer(access: ServerAccess, now: number): Promise<readonly Check[]> {
  const answering = await answerCheck(access);
  if (answering.level === 'problem') return [answering];
  const ends = await certificateEnd(access.url);
  return [
    answering,
    ...(ends === undefined ? [] : [untilCheck('the certificate of the server', ends, now)]),
    ...(access.certificate === undefined
      ? []
      : [untilCheck(`the client certificate in ${access.kubeconfig}`, endOf(access.certificate), now)]),
  ];
}

async function answerCheck(access: ServerAccess): Promise<Check> {
  const { url } = access;
  try {
    const { code, text } = await callServer(access, { method: 'GET', path: '/version', timeout: patienceMs });
    if (code === 401 || code === 403) {
      return { level: 'problem', text: `${url} answers ${code}: it does not know who is asking`, hint: startAgain };
    }
    const traces = await callServer(access, { method: 'GET', path: '/kadmit/v1/traces?limit=1', timeout: patienceMs });
    const version = asString(asObject(JSON.parse(text))['gitVersion']);
    if (traces.code === 200) return ok(`${url} answers: kadmit, as Kubernetes ${version}`);
    return {
      level: 'warning',
      text: `${url} answers, and is not kadmit: Kubernetes ${version}`,
      hint: 'explain, requests, chain and map need a server that kadmit serve runs',
    };
  } catch (error) {
    return { level: 'problem', text: errorText(error), hint: startAgain };
  }
}

const startAgain = 'start kadmit serve in this folder: it writes its kubeconfig anew';

const endOf = (pem: string): number => Date.parse(new X509Certificate(pem).validTo);

/** When the certificate that is shown there ends, whoever signed it; undefined when none is. */
function certificateEnd(url: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({
      host: bareHost(hostname),
      port: Number(port) || 443,
      rejectUnauthorized: false,
    });
    const end = (found: number | undefined): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(patienceMs, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate();
      end(shown && Date.parse(shown.validTo));
    });
  });
}
