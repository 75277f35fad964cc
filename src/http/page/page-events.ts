import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NumberedSummary } from '../../trace/trace-summary.ts';
import { safeHeaders } from './page-answer.ts';
import type { PageSources } from './page-sources.ts';

/** How long new requests are collected before the page hears of them. */
const gatherMs = 60;
/** As many as fill a screen come first, the others after them in lots. */
const firstLot = 200;
const lot = 2000;

/**
 * Answers with server-sent events: `summaries` (new ones, oldest first; the id is the last one's sequence number),
 * `older` (those before them, newest first; only for who knows none) and `breaks` (what is held changed). Goes on
 * after the number in Last-Event-ID. A page that reads slowly is told later and more at once.
 */
export function sendEvents(request: IncomingMessage, response: ServerResponse, sources: PageSources): void {
  let sent = numberIn(request.headers['last-event-id']);
  let timer: NodeJS.Timeout | undefined;
  const tell = (fresh: readonly NumberedSummary[]): void => {
    const last = fresh.at(-1);
    if (last === undefined) return;
    sent = last.sequence;
    response.write(eventText('summaries', JSON.stringify(fresh), sent));
  };
  const flush = (): void => {
    timer = undefined;
    if (!response.writableNeedDrain) tell(sources.since(sent));
  };
  const soon = (): void => {
    timer ??= setTimeout(flush, gatherMs);
  };
  response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream' });
  response.write('retry: 1000\n\n');
  if (sent === 0) {
    const newest = sources.list(firstLot);
    tell(newest.toReversed());
    sendOlder(response, sources, newest.at(-1)?.sequence ?? 0);
  } else {
    flush();
  }
  const stopHearing = sources.onRecorded(soon);
  const stopBreaks = sources.breaks?.onChanged(() => response.write(eventText('breaks', '{}')));
  response.on('drain', soon);
  response.on('close', () => {
    clearTimeout(timer);
    stopHearing();
    stopBreaks?.();
  });
}

/** Lot by lot, so that neither this server nor the page stands still meanwhile. */
function sendOlder(response: ServerResponse, sources: PageSources, before: number): void {
  setImmediate(() => {
    if (response.destroyed) return;
    const older = sources.before(before, lot);
    const last = older.at(-1);
    if (last === undefined) return;
    response.write(eventText('older', JSON.stringify(older)));
    sendOlder(response, sources, last.sequence);
  });
}

function eventText(name: string, data: string, id?: number): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** A server that has just started knows no number yet: what another one counted means nothing to it. */
function numberIn(text: string | readonly string[] | undefined): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
