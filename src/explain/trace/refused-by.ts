import type { Trace, TracedDecision } from './trace.ts';

/** The webhook, policy or plugin that the client was refused by, or `API server`; empty for what was admitted. */
export const refusedBy = (trace: Trace): string =>
  trace.verdict === 'admitted' ? '' : (refusalIn(trace)?.name ?? 'API server');

/** The decision that the client was told of: of several that refuse, one has the words; undefined where none does. */
export function refusalIn({ admission, response }: Trace): TracedDecision | undefined {
  const refusals = admission.filter(({ outcome }) => refusing.has(outcome));
  const told = response.status?.['message'];
  return refusals.find((one) => told !== undefined && said(one) === told) ?? refusals[0];
}

const refusing: ReadonlySet<TracedDecision['outcome']> = new Set(['denied', 'refused', 'failed-closed']);

const said = (decision: TracedDecision): unknown =>
  decision.type === 'plugin' ? decision.message : decision.status?.['message'];
