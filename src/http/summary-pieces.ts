import type { Pause } from '../apimachinery/pause.ts';
import { pause } from './pause.ts';
import type { NumberedSummary } from '../trace/trace-summary.ts';

const pieceOfText = 32 * 1024;

/** A list of summaries as JSON, in pieces: one that names thousands of webhooks takes milliseconds. */
export async function* summaryPieces(
  items: readonly NumberedSummary[],
  rest: Pause | undefined,
): AsyncIterable<string> {
  let text = '[';
  for (const [at, item] of items.entries()) {
    text += `${at === 0 ? '' : ','}${JSON.stringify(item)}`;
    await rest?.();
    if (text.length < pieceOfText) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

/** The same in one. */
export async function summariesText(items: readonly NumberedSummary[]): Promise<string> {
  let text = '';
  for await (const piece of summaryPieces(items, pause)) text += piece;
  return text;
}
