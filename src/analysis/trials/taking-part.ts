import type { SkipReason } from '../../apiserver/admission/chain/skip-reason.ts';
import type { Trace, TracedDecision } from '../../explain/trace/trace.ts';
import type { Order } from '../../explain/trace/permuted-request.ts';
import type { RequestTrial } from './request-trial.ts';
import { turnId } from './turn-id.ts';

/**
 * The mutating policies and webhooks that were asked about a request, or would be if others made the object another one, in the
 * order in force. Who stands behind one that refuses is looked for without it.
 */
export async function takingPart({ attempt, callees }: Pick<RequestTrial, 'attempt' | 'callees'>): Promise<Order> {
  const found = new Set<string>();
  const refusing = new Set<string>();
  let trace = (await attempt())?.trace;
  for (;;) {
    for (const turn of turnsIn(trace)) found.add(turn);
    const fresh = refusersIn(trace).filter((turn) => !refusing.has(turn));
    if (fresh.length === 0) return [...found];
    for (const turn of fresh) refusing.add(turn);
    const left = [...found, ...callees.keys()].filter((turn) => !refusing.has(turn));
    trace = (await attempt([...new Set(left)]))?.trace;
  }
}

const turnsIn = (trace: Trace | undefined): readonly string[] =>
  firstTurns(trace).flatMap((one) => (isLeftOut(one) ? [] : [turnId(one)]));

const refusersIn = (trace: Trace | undefined): readonly string[] =>
  firstTurns(trace).flatMap((one) => ('status' in one || refusals.has(one.outcome) ? [turnId(one)] : []));

const refusals: ReadonlySet<string> = new Set(['denied', 'failed-closed', 'refused']);

type Asked = Exclude<TracedDecision, { readonly type: 'plugin' }>;

const firstTurns = (trace: Trace | undefined): readonly Asked[] =>
  (trace?.admission ?? []).filter(
    (one): one is Asked => one.type !== 'plugin' && one.phase === 'mutating' && one.round === 0,
  );

/** Whom rules or the namespace leave out takes no part in any order, nor does a policy that its selector leaves out: it is shown the object as it came. */
function isLeftOut({ type, reason }: Asked): boolean {
  if (reason === undefined || mayDifferLater.has(reason.because)) return false;
  return reason.because !== 'objectSelector' || type === 'policy' || !reason.rulesMatch;
}

/** What others change decides these. */
const mayDifferLater: ReadonlySet<SkipReason['because']> = new Set([
  'matchCondition',
  'matchCondition-error',
  'not-reinvoked',
]);
