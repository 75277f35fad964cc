import { createServer } from 'node:net';
import { ok } from './check.ts';
import type { Check } from './check.ts';

/** The ports of `kadmit serve` unless its flags say otherwise. */
const ports = [
  { port: 6443, what: 'the API server', flag: '--secure-port' },
  { port: 6480, what: 'the page', flag: '--ui-port' },
] as const;

/** Are they free, or taken by the server that runs (its url)? */
export const lookAtPorts = (url: string | undefined): Promise<readonly Check[]> =>
  Promise.all(ports.map(async (port) => portCheck(port, await whyTaken(port.port), url)));

function portCheck({ port, what, flag }: (typeof ports)[number], taken: string | undefined, url?: string): Check {
  if (taken === undefined) return ok(`port ${port} is free for ${what}`);
  const own = url !== undefined && new URL(url).port === '6443';
  if (own && taken === 'EADDRINUSE') return ok(`port ${port} is taken by this server, for ${what}`);
  return {
    level: 'note',
    text: `port ${port}, usually that of ${what}, is ${taken === 'EADDRINUSE' ? 'taken by another program' : `not to be had (${taken})`}`,
    hint: `kadmit serve ${flag} 0 picks a free one`,
  };
}

/** Why nobody may listen there; undefined when it is free. */
const whyTaken = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(undefined)));
  });
