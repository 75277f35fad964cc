import type { JournalEntry } from '../../apiserver/request/journal.ts';
import { asObject, type JsonObject } from '../../machinery/json/json.ts';
import type { Trace, TracedConversion } from './trace.ts';

export function conversionsIn(entries: readonly JournalEntry[]): Pick<Trace, 'conversions'> {
  const conversions = entries.flatMap((entry, at) =>
    entry.type === 'conversion' ? [conversionOf(entry.record, stageAfter(entries, at))] : [],
  );
  return conversions.length === 0 ? {} : { conversions };
}

/** A stage is recorded when it ends. */
function stageAfter(entries: readonly JournalEntry[], at: number): string {
  const stage = entries.find((entry, index) => index > at && entry.type === 'stage');
  return stage?.type === 'stage' ? stage.name : '';
}

type Kept = Extract<JournalEntry, { readonly type: 'conversion' }>['record'];

function conversionOf(record: Kept, stage: string): TracedConversion {
  const { startedAt, finishedAt, clientConfig, ...about } = record;
  const known = clientConfig && { clientConfig: asObject(withoutBundle({ clientConfig })['clientConfig']) };
  return {
    ...about,
    ...known,
    stage,
    startedAt,
    milliseconds: finishedAt - startedAt,
    outcome: about.error === undefined ? 'converted' : 'failed',
  };
}

/** Marks a caBundle that is base64 of base64. */
export const encodedTwice = 'in base64 twice';

/** Replaces the caBundle, which is long, by its length. */
export function withoutBundle(definition: JsonObject): JsonObject {
  const clientConfig = asObject(definition['clientConfig']);
  const { caBundle } = clientConfig;
  if (typeof caBundle !== 'string') return definition;
  const twice = caBundle.startsWith(pemTwice) ? `, ${encodedTwice}` : '';
  return { ...definition, clientConfig: { ...clientConfig, caBundle: `(${caBundle.length} characters${twice})` } };
}

/** Base64 of base64 of `-----BEGIN CERT`. */
const pemTwice = 'TFMwdExTMUNSVWRKVGlCRFJWSl';
