import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import type { NumberedSummary } from '../../../explain/trace/trace-summary.ts';
import { summariesText } from '../summary-pieces.ts';
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
  let isTelling = false;
  const tell = async (fresh: readonly NumberedSummary[]): Promise<void> => {
    const last = fresh.at(-1);
    if (last === undefined) return;
    isTelling = true;
    const text = await summariesText(fresh);
    isTelling = false;
    sent = last.sequence;
    if (!response.destroyed) response.write(eventText('summaries', text, sent));
  };
  const flush = (): void => {
    timer = undefined;
    if (isTelling) soon();
    else if (!response.writableNeedDrain) void tell(sources.since(sent));
  };
  const soon = (): void => {
    timer ??= setTimeout(flush, gatherMs);
  };
  response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream' });
  response.write('retry: 1000\n\n');
  if (sent === 0) {
    const newest = sources.list(firstLot);
    const oldest = newest.at(-1)?.sequence ?? 0;
    void tell(newest.toReversed()).then(() => sendOlder(response, sources, oldest));
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
async function sendOlder(response: ServerResponse, sources: PageSources, oldest: number): Promise<void> {
  for (let before = oldest; ;) {
    await setImmediate();
    if (response.destroyed) return;
    const older = sources.before(before, lot);
    const last = older.at(-1);
    if (last === undefined) return;
    const text = await summariesText(older);
    if (!response.destroyed) response.write(eventText('older', text));
    before = last.sequence;
  }
}

function eventText(name: string, data: string, id?: number): string {
  return `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`;
}

/** A server that has just started knows no number yet: what another one counted means nothing to it. */
function numberIn(text: string | readonly string[] | undefined): number {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}
