import type { HttpExchange } from '../../apiserver/admission/webhooks/call.ts';
import type { WarningOmission } from '../../machinery/meta/sent-warnings.ts';
import type { TracedPolicy, TracedWebhook } from '../trace/trace.ts';

/** A line for each redirect and retry: `redirected: 302 to /login, repeated as GET without the review`. */
export const exchangeLines = ({ exchanges = [] }: Pick<TracedWebhook, 'exchanges'>): readonly string[] =>
  exchanges.slice(0, -1).map((exchange, at) => exchangeLine(exchange, exchanges[at + 1]));

function exchangeLine({ code, location, retryAfter }: HttpExchange, next: HttpExchange | undefined): string {
  if (location === undefined)
    return `answered ${code} with Retry-After: ${retryAfter}, called again after ${retryAfter} s`;
  const how = next?.method === 'GET' ? 'repeated as GET without the review' : 'the review was posted there';
  return `redirected: ${code} to ${location}, ${how}`;
}

/** The warnings that the client receives; of a duplicate the first. */
export function sentWarningTexts({
  warnings = [],
  droppedWarnings = [],
}: Pick<TracedPolicy, 'warnings' | 'droppedWarnings'>): readonly string[] {
  const drops = new Map<string, number>();
  for (const { warning, because } of droppedWarnings) {
    if (because !== 'shortened') drops.set(warning, (drops.get(warning) ?? 0) + 1);
  }
  const kept = warnings.toReversed().filter((warning) => {
    const remaining = drops.get(warning) ?? 0;
    drops.set(warning, remaining - 1);
    return remaining <= 0;
  });
  return kept.toReversed();
}

const lossText: Readonly<Record<WarningOmission, string>> = {
  empty: 'an empty warning is not sent',
  'control-character': 'a warning with control characters (line breaks, tabs) is not sent',
  duplicate: 'the client received this warning already',
  'over-limit': 'the warnings of a response share 4096 characters',
  shortened: 'only its first 256 characters are sent, since the warnings of a response share 4096',
};

export function lossLines({
  droppedWarnings = [],
  droppedAuditAnnotations = [],
}: Pick<TracedWebhook, 'droppedWarnings' | 'droppedAuditAnnotations'>): readonly string[] {
  return [
    ...droppedWarnings.map(({ warning, because }) => `dropped warning ${quoteShort(warning)}: ${lossText[because]}`),
    ...droppedAuditAnnotations.map(
      ({ key, detail = 'another value was written before' }) =>
        `dropped audit annotation ${quoteShort(key)}: ${detail}`,
    ),
  ];
}

const maxLength = 80;

const quoteShort = (text: string): string =>
  JSON.stringify(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
