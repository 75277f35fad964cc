import type { JsonObject } from '../../machinery/json/json.ts';
import type { Trace, TracedWebhook } from '../../explain/trace/trace.ts';

/** A decision of a trace whose review was sent. */
export interface RecordedCall extends TracedWebhook {
  readonly review: JsonObject;
}

export type PickResult =
  | { readonly outcome: 'picked'; readonly call: RecordedCall }
  /** Lists the webhooks that were called. */
  | { readonly outcome: 'undecided'; readonly problem: string };

/** `webhook` is NAME, CONFIGURATION/NAME or '' for the only one. */
export interface CallSelection {
  readonly webhook: string;
  readonly round: 0 | 1;
}

/** A webhook that was reinvoked counts once, unless round 1 is requested. */
export function pickCall({ id, admission }: Trace, { webhook, round }: CallSelection): PickResult {
  const calls = admission.filter(wasSent);
  if (calls.length === 0) return undecided(`no webhook was called in the trace ${id}`);
  const meant = calls.filter((call) => webhook === '' || webhook === call.name || webhook === fullName(call));
  if (meant.length === 0)
    return undecided(`${JSON.stringify(webhook)} was not called in that request; ${listCalls(calls)}`);
  if (new Set(meant.map(fullName)).size > 1) return undecided(`which webhook? --webhook NAME; ${listCalls(meant)}`);
  const call = meant.find((one) => one.round === round);
  if (call) return { outcome: 'picked', call };
  return undecided(`${fullName(meant[0])} was not called in round ${round}`);
}

const undecided = (problem: string): PickResult => ({ outcome: 'undecided', problem });

export const wasSent = (decision: Trace['admission'][number]): decision is RecordedCall =>
  decision.type === 'webhook' && decision.review !== undefined && decision.review !== null;

/** CONFIGURATION/NAME. */
export const fullName = (call: Pick<TracedWebhook, 'configuration' | 'name'> | undefined): string =>
  `${call?.configuration ?? ''}/${call?.name ?? ''}`;

const listCalls = (calls: readonly TracedWebhook[]): string =>
  `called were ${[...new Set(calls.map((call) => `${fullName(call)} (${call.phase})`))].join(', ')}`;
