import type { JournalEntry } from '../../apiserver/request/journal.ts';
import type { Trace } from './trace.ts';

/** The names of configurations without webhooks, of a kind of which none has any. */
export function emptyConfigurationsIn(entries: readonly JournalEntry[]): Pick<Trace, 'emptyConfigurations'> {
  const names = entries.flatMap((entry) =>
    entry.type === 'admission'
      ? entry.result.records.flatMap((record) => (record.type === 'empty-configurations' ? record.names : []))
      : [],
  );
  return names.length === 0 ? {} : { emptyConfigurations: [...new Set(names)] };
}
