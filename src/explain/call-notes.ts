import type { HttpExchange } from '../admission/webhooks/call.ts';
import type { WarningLoss } from '../apimachinery/warning-fates.ts';
import type { TracedPolicy, TracedWebhook } from '../trace/trace.ts';

/** A line for each redirect and each repetition of a call: `redirected: 302 to /login, repeated as GET without the review`. */
export const exchangeLines = ({ exchanges = [] }: Pick<TracedWebhook, 'exchanges'>): readonly string[] =>
  exchanges.slice(0, -1).map((exchange, at) => exchangeLine(exchange, exchanges[at + 1]));

function exchangeLine({ code, location, retryAfter }: HttpExchange, next: HttpExchange | undefined): string {
  if (location === undefined)
    return `answered ${code} with Retry-After: ${retryAfter}, called again after ${retryAfter} s`;
  const how = next?.method === 'GET' ? 'repeated as GET without the review' : 'the review was posted there';
  return `redirected: ${code} to ${location}, ${how}`;
}

/** The warnings of a decision that the client gets. */
export function keptWarnings({
  warnings = [],
  droppedWarnings = [],
}: Pick<TracedPolicy, 'warnings' | 'droppedWarnings'>): readonly string[] {
  const dropped = droppedWarnings.filter(({ because }) => because !== 'shortened').map(({ warning }) => warning);
  return warnings
    .toReversed()
    .filter((warning) => !takeFrom(dropped, warning))
    .toReversed();
}

/** Is the text in the list? Then it is removed once. */
function takeFrom(list: string[], text: string): boolean {
  const at = list.indexOf(text);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

const lossWords: Readonly<Record<WarningLoss, string>> = {
  empty: 'an empty warning is not sent',
  'control-character': 'a warning with control characters (line breaks, tabs) is not sent',
  duplicate: 'the client has got this warning already',
  'over-limit': 'the warnings of a response share 4096 characters',
  shortened: 'only its first 256 characters are sent, since the warnings of a response share 4096',
};

/** A line for each warning and audit annotation that is dropped, with the reason. */
export function lossLines({
  droppedWarnings = [],
  droppedAuditAnnotations = [],
}: Pick<TracedWebhook, 'droppedWarnings' | 'droppedAuditAnnotations'>): readonly string[] {
  return [
    ...droppedWarnings.map(({ warning, because }) => `dropped warning ${quoted(warning)}: ${lossWords[because]}`),
    ...droppedAuditAnnotations.map(
      ({ key, detail = 'another value was written before' }) => `dropped audit annotation ${quoted(key)}: ${detail}`,
    ),
  ];
}

const longest = 80;

const quoted = (text: string): string => JSON.stringify(text.length > longest ? `${text.slice(0, longest)}…` : text);
