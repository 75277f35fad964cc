import { type Callee, createReinvocation } from '../../apiserver/admission/chain/reinvocation.ts';
import { isPolicyEntry } from '../../apiserver/admission/chain/attributes.ts';
import type { Order } from '../../explain/trace/permuted-request.ts';
import type { Trace, TracedPolicy, TracedWebhook } from '../../explain/trace/trace.ts';
import { asObject, isJsonObject } from '../../machinery/json/json.ts';
import { stateText } from './compare-sets.ts';

/**
 * Derives results of orders from those already run. A webhook that receives the same object (containers in any order)
 * responds the same, so an order whose every step was seen in other orders needs no run. The caller still runs some
 * of them as a check.
 */
export interface ComposedOrders<Result> {
  readonly learn: (order: Order, trace: Trace, result: Result) => void;
  /** The derived result; undefined: the order must be run. */
  readonly compose: (order: Order) => Result | undefined;
}

/** One invocation of a webhook or policy. */
interface InvocationStep {
  readonly hook: string;
  readonly called: boolean;
  readonly changed: boolean;
  readonly ends: boolean;
  /** The object it received, or the next one received if it was skipped; undefined: unknown. */
  readonly state: string | undefined;
}

/** `next` is the object that the following invocation received. */
interface KnownStep extends Pick<InvocationStep, 'called' | 'changed' | 'ends'> {
  readonly next: string | undefined;
}

export function createComposedOrders<Result>(callees: ReadonlyMap<string, Callee>): ComposedOrders<Result> {
  // Policies precede webhooks: results of one order of policies do not apply to another.
  const byPolicies = new Map<string, ComposedCalls<Result>>();
  const among = (order: Order): ComposedCalls<Result> => {
    const key = order.filter(isPolicyEntry).join('\n');
    const known = byPolicies.get(key) ?? createComposedCalls<Result>(callees);
    byPolicies.set(key, known);
    return known;
  };
  return {
    learn: (order, trace, result) => among(order).learn(trace, result),
    compose: (order) => among(order).compose(order.filter((step) => !isPolicyEntry(step))),
  };
}

interface ComposedCalls<Result> {
  readonly learn: (trace: Trace, result: Result) => void;
  readonly compose: (webhooks: Order) => Result | undefined;
}

function createComposedCalls<Result>(callees: ReadonlyMap<string, Callee>): ComposedCalls<Result> {
  const steps = new Map<string, KnownStep>();
  const secondRounds = new Map<string, string>();
  const ends = new Map<string, Result>();
  let first: string | undefined;
  let isComposable = true;

  const learn = (trace: Trace, result: Result): void => {
    const [round0, round1] = [invocationSteps(trace, 0), invocationSteps(trace, 1)];
    first ??= round0[0]?.state;
    isComposable &&= !isChangedBetween(trace) && round0[0]?.state === first;
    recordSteps(round0, steps);
    recordSteps(round1, steps);
    const [end0, end1] = [lastStepKey(round0), lastStepKey(round1)];
    const second = round1[0]?.state;
    if (end0 !== undefined && second !== undefined) secondRounds.set(end0, second);
    const end = round1.length > 0 ? end1 && `again ${end1}` : end0;
    if (end !== undefined) ends.set(end, result);
  };

  const compose = (order: Order): Result | undefined => {
    if (!isComposable || first === undefined) return undefined;
    const reinvocation = createReinvocation();
    const callee = (hook: string): Callee => callees.get(hook) ?? { uid: hook, reinvocationPolicy: 'Never' };
    const after = (hook: string, changed: boolean): void => reinvocation.afterCall(callee(hook), changed);
    const isDue = (hook: string): boolean => reinvocation.reasonNotToReinvoke(callee(hook)) === null;
    reinvocation.startRound(0, null);
    const round0 = followOrder(order, first, steps, { isDue, after });
    if (round0.outcome === 'unknown') return undefined;
    reinvocation.finishRound(null);
    reinvocation.startRound(1, null);
    if (round0.outcome === 'ended' || !round0.changed || !order.some(isDue)) return ends.get(round0.end);
    const start = secondRounds.get(round0.end);
    const round1 = start === undefined ? unknown : followOrder(order, start, steps, { isDue, after });
    return round1.outcome === 'unknown' ? undefined : ends.get(`again ${round1.end}`);
  };
  return { learn, compose };
}

function recordSteps(all: readonly InvocationStep[], steps: Map<string, KnownStep>): void {
  for (const [at, { hook, state, called, changed, ends }] of all.entries()) {
    if (state === undefined) continue;
    const key = stepKey(hook, state);
    steps.set(key, { called, changed, ends, next: all[at + 1]?.state ?? steps.get(key)?.next });
  }
}

interface ReinvocationRules {
  readonly isDue: (hook: string) => boolean;
  readonly after: (hook: string, changed: boolean) => void;
}

/** Follows known invocations from a state. */
function followOrder(
  order: Order,
  from: string,
  steps: ReadonlyMap<string, KnownStep>,
  { isDue, after }: ReinvocationRules,
): FollowedOrder {
  let state: string | undefined = from;
  let end: string | undefined;
  let changed = false;
  for (const hook of order) {
    if (!isDue(hook)) continue;
    end = state === undefined ? undefined : stepKey(hook, state);
    const step: KnownStep | undefined = end === undefined ? undefined : steps.get(end);
    if (step === undefined || end === undefined) return unknown;
    if (step.ends) return { outcome: 'ended', end, changed };
    if (step.called) after(hook, step.changed);
    changed ||= step.changed;
    state = step.next;
  }
  return end === undefined ? unknown : { outcome: 'walked', end, changed };
}

type FollowedOrder =
  | { readonly outcome: 'walked' | 'ended'; readonly end: string; readonly changed: boolean }
  | { readonly outcome: 'unknown' };

const unknown: FollowedOrder = { outcome: 'unknown' };

const stepKey = (hook: string, state: string): string => `${hook} ${state}`;

function lastStepKey(steps: readonly InvocationStep[]): string | undefined {
  const last = steps.at(-1);
  return last?.state === undefined ? undefined : stepKey(last.hook, last.state);
}

/** A plugin that changes the object between the two passes hides its input. */
const isChangedBetween = ({ admission }: Trace): boolean =>
  admission.some(
    ({ type, round, phase, ...rest }) => type !== 'webhook' && phase === 'mutating' && round === 1 && 'patch' in rest,
  );

function invocationSteps({ admission }: Trace, round: 0 | 1): readonly InvocationStep[] {
  const own = admission.filter(
    (one): one is TracedWebhook =>
      one.type === 'webhook' &&
      one.phase === 'mutating' &&
      one.round === round &&
      one.reason?.because !== 'not-reinvoked',
  );
  const steps = own.map(toInvocationStep);
  let state: string | undefined;
  return steps
    .toReversed()
    .map((step) => {
      // A skipped webhook leaves the object unchanged.
      state = step.called ? step.state : state;
      return { ...step, state };
    })
    .toReversed();
}

const refusing: ReadonlySet<TracedWebhook['outcome']> = new Set(['denied', 'failed-closed', 'refused']);

function toInvocationStep(decision: TracedWebhook): InvocationStep {
  const shown = asObject(decision.review?.['request'])['object'];
  const called = decision.outcome !== 'skipped';
  return {
    hook: callId(decision),
    called,
    changed: decision.changed === true,
    ends: refusing.has(decision.outcome),
    state: called && isJsonObject(shown) ? internState(stateText(shown)) : undefined,
  };
}

/** Numbers for states, which are long and few. */
const stateIds = new Map<string, string>();
const maxStateIds = 100_000;

function internState(text: string): string {
  if (stateIds.size > maxStateIds) stateIds.clear();
  const known = stateIds.get(text) ?? `s${(stateCount += 1)}`;
  stateIds.set(text, known);
  return known;
}

let stateCount = 0;

/** A policy by its name, a webhook as `CONFIGURATION/WEBHOOK`. */
export const callId = (
  one: Pick<TracedPolicy, 'type' | 'name'> | Pick<TracedWebhook, 'type' | 'configuration' | 'name'>,
): string => (one.type === 'policy' ? one.name : `${one.configuration}/${one.name}`);
