import type { IncomingMessage, ServerResponse } from 'node:http';
import { safeHeaders } from './page-answer.ts';
import type { PageSources } from './page-sources.ts';

/** How long new requests are collected before the page hears of them. */
const gatherMs = 60;

/**
 * Answers with server-sent events: `summaries` (a list, oldest first; the id is the last one's sequence number) and
 * `breaks` (what is held changed). Begins after the number in Last-Event-ID or `?since=`. A page that reads slowly is
 * told later and more at once.
 */
export function sendEvents(request: IncomingMessage, response: ServerResponse, sources: PageSources): void {
  const url = new URL(request.url ?? '/', 'http://page');
  let sent = numberIn(request.headers['last-event-id'] ?? url.searchParams.get('since'));
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    if (response.writableNeedDrain) return;
    const fresh = sources.since(sent);
    const last = fresh.at(-1);
    if (last === undefined) return;
    sent = last.sequence;
    response.write(eventText('summaries', JSON.stringify(fresh), sent));
  };
  const soon = (): void => {
    timer ??= setTimeout(flush, gatherMs);
  };
  response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream' });
  response.write('retry: 1000\n\n');
  flush();
  const stopHearing = sources.onRecorded(soon);
  const stopBreaks = sources.breaks?.onChanged(() => response.write(eventText('breaks', '{}')));
  response.on('drain', soon);
  response.on('close', () => {
    clearTimeout(timer);
    stopHearing();
    stopBreaks?.();
  });
}

function eventText(name: string, data: string, id?: number): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** A server that has just started knows no number yet: what another one counted means nothing to it. */
function numberIn(text: string | readonly string[] | null): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
