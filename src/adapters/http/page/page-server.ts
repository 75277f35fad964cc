import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { servedPage } from '../../../explain/trace/page-html.ts';
import { readPageParts } from '../../../explain/trace/page-parts.ts';
import { html, json, readBody, refusal, send } from './page-answer.ts';
import type { PageAnswer } from './page-answer.ts';
import { sendEvents } from './page-events.ts';
import { admitVisit, tokenCookie } from './page-guard.ts';
import type { PageDoor, PageSources } from './page-sources.ts';

/** A page that can be opened. */
export interface PageServer {
  /** With its token: `http://127.0.0.1:6480/?token=…`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const loopback = '127.0.0.1';
const mostPosted = 4 * 1024 * 1024;

/**
 * Serves the page on this port of the loopback address (0: any free one), behind a token that only the returned URL
 * tells. Rejects with the socket's error when the port cannot be had.
 */
export async function startPageServer(port: number, sources: PageSources): Promise<PageServer> {
  const token = randomBytes(24).toString('base64url');
  const server = createServer((request, response) => {
    answer(request, response, { server, token, sources }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else send(response, refusal(500, `the page's server has a bug: ${String(error)}`));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, loopback, resolve);
  });
  return {
    url: `http://${loopback}:${portOf(server)}/?token=${token}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Serving {
  readonly server: Server;
  readonly token: string;
  readonly sources: PageSources;
}

async function answer(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const { server, token, sources } = serving;
  const { method = '', headers } = request;
  const url = urlOf(request);
  if (url === undefined) return send(response, refusal(400, 'the path of the request cannot be read'));
  const visit = { method, url, host: headers.host, origin: headers.origin, cookie: headers.cookie };
  const admission = admitVisit(visit, portOf(server), token);
  if (admission.outcome === 'foreign') {
    return send(response, refusal(403, `${admission.what} is not this page's: open the URL that kadmit printed`));
  }
  if (admission.outcome === 'unauthorized') {
    return send(response, refusal(401, 'the token is missing or wrong: open the URL that kadmit printed'));
  }
  const gone = whenGone(response);
  if (method === 'POST') return send(response, await answerPost({ request, url, gone }, sources));
  if (method !== 'GET' && method !== 'HEAD') return send(response, refusal(405, 'only GET and POST are understood'));
  if (url.pathname === '/kadmit/v1/events') return sendEvents(request, response, sources);
  const cookie = admission.setCookie ? tokenCookie(portOf(server), token) : undefined;
  send(response, await answerGet(url, gone, sources), cookie);
}

/** Aborts once the answer was sent, or its reader has left before. */
function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function urlOf({ url }: IncomingMessage): URL | undefined {
  try {
    return new URL(url ?? '/', `http://${loopback}`);
  } catch {
    return undefined;
  }
}

async function answerGet(url: URL, gone: AbortSignal, sources: PageSources): Promise<PageAnswer> {
  switch (url.pathname) {
    case '/': {
      const reading = readPageParts();
      return reading.outcome === 'missing' ? refusal(503, reading.problem) : html(servedPage);
    }
    case '/page.js':
      return partAnswer('script', 'text/javascript; charset=utf-8');
    case '/page.css':
      return partAnswer('style', 'text/css; charset=utf-8');
    default: {
      // Whoever waits for the server to be ready does not wait for what only a visitor needs.
      const { answerData } = await import('./page-data.ts');
      const asked = { method: 'GET', path: url.pathname, body: '', gone };
      return (await answerData(url, sources)) ?? (await throughDoor(asked, sources));
    }
  }
}

function partAnswer(part: 'script' | 'style', contentType: string): PageAnswer {
  const reading = readPageParts();
  if (reading.outcome === 'missing') return refusal(503, reading.problem);
  return { code: 200, contentType, body: reading.parts[part] };
}

interface Posted {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly gone: AbortSignal;
}

async function answerPost({ request, url, gone }: Posted, sources: PageSources): Promise<PageAnswer> {
  const { pathname } = url;
  const text = await readBody(request, mostPosted);
  if (text === undefined) return refusal(413, `a body may have ${mostPosted} bytes`);
  if (!pathname.startsWith('/kadmit/v1/breaks'))
    return throughDoor({ method: 'POST', path: pathname, body: text, gone }, sources);
  if (sources.breaks === undefined) return nothingHere;
  const reading = readJson(text === '' ? 'null' : text);
  if (reading.outcome === 'unreadable') return refusal(400, `the body is not JSON: ${reading.error}`);
  const { code, body } = await sources.breaks.act(pathname, plainValue(reading.json.value));
  return json(JSON.stringify(body), code);
}

const nothingHere = refusal(404, 'there is nothing here');

async function throughDoor(asked: Parameters<PageDoor>[0], { door }: PageSources): Promise<PageAnswer> {
  const answered = await door?.(asked);
  return answered ? json(answered.body, answered.code) : nothingHere;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
