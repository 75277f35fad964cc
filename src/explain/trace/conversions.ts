import { asObject } from '../../machinery/json/json.ts';
import type { JournalEntry } from '../../apiserver/request/journal.ts';
import { withoutBundle } from './bundle-summary.ts';
import type { Trace, TracedConversion } from './trace.ts';

/** What was converted in a request; nothing when nothing was. */
export function conversionsIn(entries: readonly JournalEntry[]): Pick<Trace, 'conversions'> {
  const conversions = entries.flatMap((entry, at) =>
    entry.type === 'conversion' ? [conversionOf(entry.record, stageAfter(entries, at))] : [],
  );
  return conversions.length === 0 ? {} : { conversions };
}

/** A stage is told when it is over. */
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
