import type { FinishedRequest } from '../../apiserver/request/handle.ts';
import type { JournalEntry } from '../../apiserver/request/journal.ts';

const writes = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const connections = new Set(['exec', 'attach', 'portforward', 'proxy']);

/** A read has a trace when a converter was called. */
export const isTraced = ({ info, journal }: Pick<FinishedRequest, 'info' | 'journal'>): boolean =>
  info.type === 'resource' &&
  (writes.has(info.verb) || connections.has(info.subresource) || journal.entries().some(isWebhookConversion));

const isWebhookConversion = (entry: JournalEntry): boolean =>
  entry.type === 'conversion' && entry.record.strategy === 'Webhook';
