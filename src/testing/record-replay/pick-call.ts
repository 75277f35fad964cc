import type { JsonObject } from '../../machinery/json/json.ts';
import type { Trace, TracedWebhook } from '../../explain/trace/trace.ts';

/** A call that a trace tells of: its review was sent. */
export interface RecordedCall extends TracedWebhook {
  readonly review: JsonObject;
}

export type Picked =
  | { readonly outcome: 'picked'; readonly call: RecordedCall }
  /** One line that says which there are. */
  | { readonly outcome: 'undecided'; readonly problem: string };

/** Which call of a trace: `webhook` is NAME or CONFIGURATION/NAME, '' for the only one there is; `round` counts from 0. */
export interface Wish {
  readonly webhook: string;
  readonly round: 0 | 1;
}

/** The call that is meant. One that was made again in the second round counts once, unless round 1 is wished for. */
export function pickCall({ id, admission }: Trace, { webhook, round }: Wish): Picked {
  const calls = admission.filter(wasSent);
  if (calls.length === 0) return undecided(`no webhook was called in the trace ${id}`);
  const meant = calls.filter((call) => webhook === '' || webhook === call.name || webhook === fullName(call));
  if (meant.length === 0)
    return undecided(`${JSON.stringify(webhook)} was not called in that request; ${listed(calls)}`);
  if (new Set(meant.map(fullName)).size > 1) return undecided(`which webhook? --webhook NAME; ${listed(meant)}`);
  const call = meant.find((one) => one.round === round);
  if (call) return { outcome: 'picked', call };
  return undecided(`${fullName(meant[0])} was not called in round ${round}`);
}

const undecided = (problem: string): Picked => ({ outcome: 'undecided', problem });

const wasSent = (decision: Trace['admission'][number]): decision is RecordedCall =>
  decision.type === 'webhook' && decision.review !== undefined && decision.review !== null;

/** CONFIGURATION/NAME. */
export const fullName = (call: Pick<TracedWebhook, 'configuration' | 'name'> | undefined): string =>
  `${call?.configuration ?? ''}/${call?.name ?? ''}`;

const listed = (calls: readonly TracedWebhook[]): string =>
  `called were ${[...new Set(calls.map((call) => `${fullName(call)} (${call.phase})`))].join(', ')}`;
