import type { SkipReason } from '../../apiserver/admission/chain/skip-reason.ts';
import type { Order } from '../../explain/trace/permuted-request.ts';
import type { Trace, TracedDecision } from '../../explain/trace/trace.ts';
import type { WorldAnswer } from '../../testing/scenario/world.ts';
import { callId } from './composed-orders.ts';

/** The mutating policies and webhooks that take part in a request. */
export interface Participants {
  /** Those that are invoked, or may be if others change the object, in the default order. */
  readonly order: Order;
  readonly unanswered: readonly Unanswered[];
  /** Of the request in the default order, then without those that refused it. */
  readonly traces: readonly Trace[];
}

/** A mutating webhook whose call failed, so that its effect is unknown. */
export interface Unanswered {
  /** `CONFIGURATION/WEBHOOK`. */
  readonly webhook: string;
  readonly error: string;
}

interface Attempts {
  readonly attempt: (order?: Order) => Promise<WorldAnswer | undefined>;
  /** All mutating webhooks, `CONFIGURATION/WEBHOOK`. */
  readonly mutators: readonly string[];
}

/** Those after one that refuses the request are found without it. */
export async function findParticipants({ attempt, mutators }: Attempts): Promise<Participants> {
  const traces: Trace[] = [];
  const order = new Set<string>();
  const refusing = new Set<string>();
  let trace = (await attempt())?.trace;
  for (;;) {
    if (trace) traces.push(trace);
    for (const name of participantNames(trace)) order.add(name);
    const fresh = refusingNames(trace).filter((name) => !refusing.has(name));
    for (const name of fresh) refusing.add(name);
    const left = [...new Set([...order, ...mutators])].filter((name) => !refusing.has(name));
    if (fresh.length === 0 || left.length === 0) break;
    trace = (await attempt(left))?.trace;
  }
  const unanswered = new Map(traces.flatMap(findUnanswered).map((one) => [one.webhook, one]));
  return { order: [...order], unanswered: [...unanswered.values()], traces };
}

/** Failed calls of mutating webhooks, whether the request failed or not. */
export const findUnanswered = ({ admission }: Trace): readonly Unanswered[] =>
  admission.flatMap((one) =>
    one.type === 'webhook' && one.phase === 'mutating' && one.round === 0 && one.failurePhase !== undefined
      ? [{ webhook: callId(one), error: one.failureDetail ?? one.error ?? '' }]
      : [],
  );

const participantNames = (trace: Trace | undefined): readonly string[] =>
  firstRound(trace).flatMap((one) => (isExcluded(one) ? [] : [callId(one)]));

const refusingNames = (trace: Trace | undefined): readonly string[] =>
  firstRound(trace).flatMap((one) => ('status' in one || refusingOutcomes.has(one.outcome) ? [callId(one)] : []));

const refusingOutcomes: ReadonlySet<string> = new Set(['denied', 'failed-closed', 'refused']);

type TracedHook = Exclude<TracedDecision, { readonly type: 'plugin' }>;

const firstRound = (trace: Trace | undefined): readonly TracedHook[] =>
  (trace?.admission ?? []).filter(
    (one): one is TracedHook => one.type !== 'plugin' && one.phase === 'mutating' && one.round === 0,
  );

/** Rules, namespaces and a policy's selector exclude it in every order. */
function isExcluded({ type, reason }: TracedHook): boolean {
  if (reason === undefined || orderDependentReasons.has(reason.because)) return false;
  return reason.because !== 'objectSelector' || type === 'policy' || !reason.rulesMatch;
}

/** These depend on changes by others. */
const orderDependentReasons: ReadonlySet<SkipReason['because']> = new Set([
  'matchCondition',
  'matchCondition-error',
  'not-reinvoked',
]);
