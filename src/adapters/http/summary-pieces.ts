import { yieldIfLong } from './yield-if-long.ts';
import type { NumberedSummary } from '../../explain/trace/trace-summary.ts';

const pieceOfText = 32 * 1024;

/** A list of summaries as JSON, in pieces: one that names thousands of webhooks takes milliseconds. */
export async function* summaryPieces(items: readonly NumberedSummary[]): AsyncIterable<string> {
  let text = '[';
  for (const [at, item] of items.entries()) {
    text += `${at === 0 ? '' : ','}${JSON.stringify(item)}`;
    await yieldIfLong();
    if (text.length < pieceOfText) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

/** The same in one. */
export async function summariesText(items: readonly NumberedSummary[]): Promise<string> {
  let text = '';
  for await (const piece of summaryPieces(items)) text += piece;
  return text;
}
