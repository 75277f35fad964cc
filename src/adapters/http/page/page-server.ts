import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { servedPage } from '../../../explain/trace/page-html.ts';
import { readPageParts } from '../../traces/trace-file.ts';
import { type NumberedSummary, summaryOf } from '../../../explain/trace/trace-summary.ts';
import type { Trace } from '../../../explain/trace/trace.ts';
import { plainValue, readJson } from '../../../machinery/json/json-reader.ts';
import { html, json, type PageAnswer, readBody, refusal, safeHeaders, send } from './page-answer.ts';
import { sourcesOf, type UiApi, type UiSources } from './page-sources.ts';

/** Milliseconds in which new requests are collected into one event. */
const gatherMs = 60;
/** A screenful first, then the others in batches. */
const firstBatch = 200;
const batchSize = 2000;

/**
 * Streams server-sent events: `summaries` (new ones, oldest first; the id is the last sequence number), `older`
 * (earlier ones, newest first, for clients without an id) and `breaks`. Continues after Last-Event-ID. Waits for slow
 * clients.
 */
function sendEvents(request: IncomingMessage, response: ServerResponse, sources: UiSources): void {
  let sent = numberIn(request.headers['last-event-id']);
  let timer: NodeJS.Timeout | undefined;
  const send = (fresh: readonly NumberedSummary[]): void => {
    const last = fresh.at(-1);
    if (last === undefined) return;
    sent = last.sequence;
    response.write(eventText('summaries', JSON.stringify(fresh), sent));
  };
  const flush = (): void => {
    timer = undefined;
    if (!response.writableNeedDrain) send(sources.since(sent));
  };
  const soon = (): void => {
    timer ??= setTimeout(flush, gatherMs);
  };
  response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream' });
  response.write('retry: 1000\n\n');
  if (sent === 0) {
    const newest = sources.list(firstBatch);
    const oldest = newest.at(-1)?.sequence ?? 0;
    send(newest.toReversed());
    void sendOlder(response, sources, oldest);
  } else {
    flush();
  }
  const unsubscribe = sources.onRecorded(soon);
  const stopBreaks = sources.breaks?.onChanged(() => response.write(eventText('breaks', '{}')));
  response.on('drain', soon);
  response.on('close', () => {
    clearTimeout(timer);
    unsubscribe();
    stopBreaks?.();
  });
}

/** In batches, so that neither server nor browser blocks. */
async function sendOlder(response: ServerResponse, sources: UiSources, oldest: number): Promise<void> {
  for (let before = oldest; ;) {
    await setImmediate();
    if (response.destroyed) return;
    const older = sources.before(before, batchSize);
    const last = older.at(-1);
    if (last === undefined) return;
    response.write(eventText('older', JSON.stringify(older)));
    before = last.sequence;
  }
}

function eventText(name: string, data: string, id?: number): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** 0 for a restarted server: its sequence numbers begin again. */
function numberIn(text: string | readonly string[] | undefined): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

export interface PageVisit {
  readonly method: string;
  readonly url: URL;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly cookie: string | undefined;
}

type Admission =
  | { readonly outcome: 'admitted'; /** The token came in the URL: keep it as a cookie. */ readonly setCookie: boolean }
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'foreign'; readonly what: string };

/**
 * Admits only browsers that address this machine's loopback interface directly (no DNS rebinding, no other origin)
 * with the token of the printed URL or its cookie.
 */
export function admitVisit(visit: PageVisit, port: number, token: string): Admission {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(visit.host ?? '')) return { outcome: 'foreign', what: `Host ${quoted(visit.host)}` };
  const mustNameOrigin = visit.method !== 'GET' && visit.method !== 'HEAD';
  if (mustNameOrigin || visit.origin !== undefined) {
    if (visit.origin !== `http://${visit.host}`) return { outcome: 'foreign', what: `Origin ${quoted(visit.origin)}` };
  }
  const given = visit.url.searchParams.get('token');
  if (given !== null && isSame(given, token)) return { outcome: 'admitted', setCookie: true };
  const kept = cookieIn(visit.cookie ?? '', cookieName(port));
  if (kept !== undefined && isSame(kept, token)) return { outcome: 'admitted', setCookie: false };
  return { outcome: 'unauthorized' };
}

/** Cookies are shared between ports. */
const cookieName = (port: number): string => `kadmit-${port}`;

/** For Set-Cookie. */
export const tokenCookie = (port: number, token: string): string =>
  `${cookieName(port)}=${token}; HttpOnly; SameSite=Strict; Path=/`;

function cookieIn(header: string, name: string): string | undefined {
  const pair = header
    .split(';')
    .map((one) => one.trim())
    .find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

/** Constant time. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const quoted = (text: string | undefined): string =>
  text === undefined ? 'missing' : JSON.stringify(text.slice(0, 100));

export interface PageServer {
  /** With its token: `http://127.0.0.1:6480/?token=…`. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const loopback = '127.0.0.1';
const maxBodyBytes = 4 * 1024 * 1024;

/**
 * Serves the UI on a loopback port (0: any free one) behind the token in the returned URL. Rejects with the socket's
 * error when the port is not available.
 */
export async function startPageServer(port: number, sources: UiSources): Promise<PageServer> {
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
  readonly sources: UiSources;
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

/** Aborts when the response was sent or the client disconnects. */
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

async function answerGet(url: URL, gone: AbortSignal, sources: UiSources): Promise<PageAnswer> {
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
      // Loaded on demand: it delays the server's start.
      const { answerData } = await import('./page-data.ts');
      const uiRequest = { method: 'GET', path: url.pathname, body: '', gone };
      return (await answerData(url, sources)) ?? (await forwardToUiApi(uiRequest, sources));
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

async function answerPost({ request, url, gone }: Posted, sources: UiSources): Promise<PageAnswer> {
  const { pathname } = url;
  const text = await readBody(request, maxBodyBytes);
  if (text === undefined) return refusal(413, `a body may have ${maxBodyBytes} bytes`);
  if (!pathname.startsWith('/kadmit/v1/breaks'))
    return forwardToUiApi({ method: 'POST', path: pathname, body: text, gone }, sources);
  if (sources.breaks === undefined) return nothingHere;
  const reading = readJson(text === '' ? 'null' : text);
  if (reading.outcome === 'unreadable') return refusal(400, `the body is not JSON: ${reading.error}`);
  const { code, body } = await sources.breaks.act(pathname, plainValue(reading.json.value));
  return json(JSON.stringify(body), code);
}

const nothingHere = refusal(404, 'there is nothing here');

async function forwardToUiApi(uiRequest: Parameters<UiApi>[0], { api }: UiSources): Promise<PageAnswer> {
  const answered = await api?.(uiRequest);
  return answered ? json(answered.body, answered.code) : nothingHere;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Serves traces, oldest first, on a loopback port; 0: any free one. */
export function openTraces(traces: readonly Trace[], port: number): Promise<PageServer> {
  const summaries = traces.map((trace, at) => ({ ...summaryOf(trace), sequence: at + 1 }));
  return startPageServer(port, sourcesOf(traces, summaries));
}
