import type { Trace, TracedDecision } from './trace.ts';

/** The webhook, policy or plugin that the client was refused by, or `API server`; empty for what was admitted. */
export function refusedBy({ verdict, admission, response }: Trace): string {
  if (verdict === 'admitted') return '';
  const refusals = admission.filter(({ outcome }) => refusing.has(outcome));
  const told = response.status?.['message'];
  const first = refusals.find((one) => told !== undefined && said(one) === told) ?? refusals[0];
  return first?.name ?? 'API server';
}

const refusing: ReadonlySet<TracedDecision['outcome']> = new Set(['denied', 'refused', 'failed-closed']);

const said = (decision: TracedDecision): unknown =>
  decision.type === 'plugin' ? decision.message : decision.status?.['message'];
