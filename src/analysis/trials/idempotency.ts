import { isPolicyEntry } from '../../apiserver/admission/chain/attributes.ts';
import type { Finding } from '../../explain/findings/finding.ts';
import { findingsOf } from '../../explain/findings/findings-of.ts';
import { type FieldChange, changesBetween } from '../../explain/trace/object-diff.ts';
import { type States, statesOf } from '../../explain/trace/object-states.ts';
import type { Order } from '../../explain/trace/permuted-request.ts';
import type { Trace } from '../../explain/trace/trace.ts';
import { asString, type JsonObject } from '../../machinery/json/json.ts';
import type { Scenario, ScenarioStep } from '../../testing/scenario/format.ts';
import type { WorldAnswer, Worlds } from '../../testing/scenario/world.ts';
import { meaningText } from './compare-sets.ts';
import { isTrialWrite, openTrials, type TrialWorld } from './trial-setup.ts';
import { findParticipants, type Unanswered } from './participants.ts';
import { callId } from './composed-orders.ts';

/** The effect of mutating webhooks on their own output. */
export interface IdempotencyReport {
  readonly scenario: string;
  readonly requests: readonly IdempotencyRequest[];
}

export interface IdempotencyRequest {
  readonly name: string;
  /** Invoked mutating policies by name, webhooks as `CONFIGURATION/WEBHOOK`. */
  readonly webhooks: readonly string[];
  readonly unanswered: readonly Unanswered[];
  readonly notCalled: readonly string[];
  /** Those that change their own output, or the others' result. */
  readonly unstable: readonly UnstableWebhook[];
  /** When all are reinvoked repeatedly: the number of rounds until the object is stable. */
  readonly rounds: Rounds;
  /** Of the write itself, with its reinvocation. */
  readonly findings: readonly Finding[];
}

export interface UnstableWebhook {
  readonly webhook: string;
  /** `own`: changes its own output, so it is not idempotent; `others`: changes the result of all webhooks. */
  readonly after: 'own' | 'others';
  readonly changes: readonly FieldChange[];
  /** The message with which the second invocation is denied. */
  readonly refused: string;
}

export type Rounds =
  | { readonly outcome: 'settles'; readonly after: number }
  /** The object returns to an earlier state after `length` rounds: webhooks undo each other. */
  | { readonly outcome: 'cycle'; readonly length: number; readonly changes: readonly FieldChange[] }
  /** Each round changes the object. */
  | { readonly outcome: 'grows'; readonly changes: readonly FieldChange[] };

/** More are not tried. */
const maxRounds = 8;

/**
 * Feeds every mutating webhook its own output, then repeats all of them until nothing changes, as dry runs before
 * each write. Rejects when the scenario cannot be loaded.
 */
export async function checkIdempotency(
  scenario: Scenario,
  worlds: Worlds,
  onProgress?: (text: string) => void,
): Promise<IdempotencyReport> {
  const trialWorld = await openTrials(scenario, worlds);
  try {
    const requests: IdempotencyRequest[] = [];
    for (const step of scenario.steps) {
      onProgress?.(step.name);
      if (isTrialWrite(step)) requests.push(await stepIdempotency(step, trialWorld));
      await trialWorld.make(step);
    }
    return { scenario: scenario.name, requests };
  } finally {
    await trialWorld.close();
  }
}

async function stepIdempotency(step: ScenarioStep, trialWorld: TrialWorld): Promise<IdempotencyRequest> {
  const { traces, unanswered } = await findParticipants({
    attempt: (callCount) => trialWorld.attempt(step, callCount),
    mutators: trialWorld.mutators,
  });
  const [once] = traces;
  const webhooks = [...new Set(traces.flatMap(calledWebhooks))];
  const unstable: UnstableWebhook[] = [];
  for (const webhook of webhooks) {
    // A policy is invoked once per binding.
    const callCount = once ? invocationIndices(once, [webhook]).length : 1;
    const again = { webhook, callCount };
    const own = compareSecondCall(again, await trialWorld.attempt(step, [webhook, webhook]), 'own');
    const others = own ?? compareSecondCall(again, await trialWorld.attempt(step, [...webhooks, webhook]), 'others');
    if (others) unstable.push(others);
  }
  return {
    name: step.name,
    webhooks,
    unanswered,
    notCalled: findNotCalled(webhooks, trialWorld.stubbed, traces),
    unstable,
    rounds: await repeatAll(step, webhooks, trialWorld),
    findings: once ? findingsOf(once).filter(({ severity }) => severity !== 'note') : [],
  };
}

const calledWebhooks = ({ admission }: Trace): readonly string[] =>
  admission.flatMap((one) =>
    one.type !== 'plugin' && one.phase === 'mutating' && (one.outcome === 'called' || one.outcome === 'evaluated')
      ? [callId(one)]
      : [],
  );

/** Changes of the second invocation; undefined: none. */
function compareSecondCall(
  { webhook, callCount }: { readonly webhook: string; readonly callCount: number },
  answer: WorldAnswer | undefined,
  after: UnstableWebhook['after'],
): UnstableWebhook | undefined {
  const trace = answer?.trace;
  const places = trace ? invocationIndices(trace, [webhook]).slice(callCount) : [];
  const last = places.at(-1);
  if (answer === undefined || trace === undefined || last === undefined) return undefined;
  const states = statesOf(trace);
  const changes = changesAcross(places.flatMap((place) => states[place] ?? []));
  const outcome = trace.admission[last]?.outcome;
  if (changes.length === 0 && outcome !== 'denied' && outcome !== 'failed-closed') return undefined;
  return { webhook, after, changes, refused: answer.code >= 400 ? asString(answer.body['message']) : '' };
}

/** From before the first to after the last. */
function changesAcross(states: readonly States[]): readonly FieldChange[] {
  const [before, after] = [states[0]?.before, states.at(-1)?.after];
  return before && after ? changesBetween(before, after) : [];
}

/** Indices of their invocations among the decisions. */
const invocationIndices = ({ admission }: Trace, names: readonly string[]): readonly number[] =>
  admission.flatMap((one, at) =>
    one.type !== 'plugin' && one.phase === 'mutating' && one.round === 0 && names.includes(callId(one)) ? [at] : [],
  );

/** Webhooks and policies separately: policies precede webhooks in every round. */
async function repeatAll(step: ScenarioStep, called: readonly string[], trialWorld: TrialWorld): Promise<Rounds> {
  const webhooks = await repeatRounds(
    step,
    called.filter((callee) => !isPolicyEntry(callee)),
    trialWorld,
  );
  const policies = called.filter(isPolicyEntry);
  if (webhooks.outcome !== 'settles' || policies.length === 0) return webhooks;
  const rounds = await repeatRounds(step, policies, trialWorld);
  return rounds.outcome === 'settles' && rounds.after < webhooks.after ? webhooks : rounds;
}

/** Repeats these and compares the object after each round. */
async function repeatRounds(step: ScenarioStep, names: readonly string[], trialWorld: TrialWorld): Promise<Rounds> {
  if (names.length === 0) return { outcome: 'settles', after: 0 };
  const again = Array.from({ length: maxRounds }, () => names).flat();
  const states = statesByRound((await trialWorld.attempt(step, again))?.trace, names);
  const texts = states.map(meaningText);
  for (const [at, text] of texts.entries()) {
    if (at === 0) continue;
    const earlier = texts.slice(0, at).lastIndexOf(text);
    if (earlier === at - 1) return { outcome: 'settles', after: at };
    if (earlier >= 0)
      return { outcome: 'cycle', length: at - earlier, changes: changesBetween(states[at - 1], states[at]) };
  }
  const [last, before] = [states.at(-1), states.at(-2)];
  if (states.length < maxRounds || last === undefined) return { outcome: 'settles', after: states.length };
  return { outcome: 'grows', changes: changesBetween(before, last) };
}

function statesByRound(trace: Trace | undefined, names: readonly string[]): readonly JsonObject[] {
  if (trace === undefined) return [];
  const states = statesOf(trace);
  const places = invocationIndices(trace, names);
  const size = Math.max(1, Math.ceil(places.length / maxRounds));
  let current: JsonObject | undefined = trace.objectReceived ?? undefined;
  return places.flatMap((place, at) => {
    current = states[place]?.after ?? current;
    return (at + 1) % size === 0 && current !== undefined ? [current] : [];
  });
}

/** Mutating webhooks that were not called: they are `stubbed`, or `--assume` applied. */
export function findNotCalled(
  webhooks: Order,
  stubbed: ReadonlySet<string>,
  traces: readonly Trace[],
): readonly string[] {
  const assumed = new Set(
    traces
      .flatMap(({ admission }) => admission)
      .flatMap((one) =>
        one.type === 'webhook' && one.phase === 'mutating' && one.assumed !== undefined ? [callId(one)] : [],
      ),
  );
  return webhooks.filter((webhook) => stubbed.has(webhook) || assumed.has(webhook));
}
