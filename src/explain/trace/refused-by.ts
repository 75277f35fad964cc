import type { Trace, TracedDecision } from './trace.ts';
import { asString } from '../../machinery/json/json.ts';

/** The webhook, policy or plugin whose refusal the client received, or `API server`; empty for an admitted request. */
export const denierText = (trace: Trace): string =>
  trace.verdict === 'admitted' ? '' : (refusalIn(trace)?.name ?? 'API server');

/** Of several refusals the one that the client received; undefined when there is none. */
export function refusalIn({ admission, response }: Trace): TracedDecision | undefined {
  const refusals = admission.filter(({ outcome }) => refusing.has(outcome));
  const message = response.status?.['message'];
  return refusals.find((one) => message !== undefined && messageOf(one) === message) ?? refusals[0];
}

const refusing: ReadonlySet<TracedDecision['outcome']> = new Set(['denied', 'refused', 'failed-closed']);

const messageOf = (decision: TracedDecision): unknown =>
  decision.type === 'plugin' ? decision.message : decision.status?.['message'];

/** A 404 for an unserved path is not a Status. */
export function refusalMessage({ response: { status, code } }: Pick<Trace, 'response'>): string {
  return asString(status?.['message']) || (status === null && code === 404 ? '404 page not found' : 'no message');
}
