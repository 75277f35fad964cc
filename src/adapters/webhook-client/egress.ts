import type { Socket } from 'node:net';
import { CallFailure } from './call-failure.ts';
import { connectAnswer } from './connect-answer.ts';
import { dialFailure, hostPort } from './network-error.ts';
import { whilePending } from './proxy.ts';

/** A proxy that every connection goes through, whatever the environment says. */
export interface EgressProxy {
  /** As it is shown. */
  readonly address: string;
  /** Begins a connection to it, and says which event tells that it is there. */
  readonly connect: () => { readonly socket: Socket; readonly event: 'connect' | 'secureConnect' };
}

interface Destination {
  readonly host: string;
  readonly port: number;
}

const patienceMs = 30_000;

/**
 * A connection to the target through the proxy. Throws CallFailure. While it is made its socket is in `pending`.
 * Follows apiserver pkg/server/egressselector/egress_selector.go tunnelHTTPConnect.
 */
export async function openThroughEgress(
  proxy: EgressProxy,
  target: Destination,
  pending: Set<Socket>,
): Promise<Socket> {
  const { socket, event } = proxy.connect();
  return whilePending(socket, pending, async () => {
    await connected(socket, event, proxy);
    const address = hostPort(target.host, target.port);
    socket.write(`CONNECT ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    const status = await connectAnswer(socket, (why) =>
      failure(`reading HTTP response from CONNECT to ${address} via proxy ${proxy.address} failed: ${why}`),
    );
    const [code = ''] = status.split(' ');
    if (code !== '200') {
      throw failure(`proxy error from ${proxy.address} while dialing ${address}, code ${code}: ${status}`);
    }
  });
}

const failure = (text: string): CallFailure => new CallFailure('connect', text, { cause: { because: 'proxy' } });

function connected(socket: Socket, event: 'connect' | 'secureConnect', { address }: EgressProxy): Promise<void> {
  const [, host = '', port = '0'] = /^(.*):(\d+)$/.exec(address) ?? [];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failure(`dial tcp ${address}: i/o timeout`)), patienceMs);
    socket.once(event, () => {
      clearTimeout(timer);
      resolve();
    });
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(host === '' ? failure(`dial unix ${address}: ${error.message}`) : dialFailure(error, host, Number(port)));
    });
  });
}
