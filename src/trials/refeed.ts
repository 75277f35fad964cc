import { asString } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { findingsOf } from '../findings/findings-of.ts';
import type { Finding } from '../findings/finding.ts';
import type { Scenario, Step } from '../scenario/format.ts';
import type { WorldAnswer, Worlds } from '../scenario/world.ts';
import { changesBetween } from '../trace/object-changes.ts';
import type { Change } from '../trace/object-changes.ts';
import { statesOf } from '../trace/object-states.ts';
import type { Trace } from '../trace/trace.ts';
import { meaningText } from './canonical.ts';
import { hookId } from './composed-orders.ts';
import { isTried, openTrials } from './ground.ts';
import type { TrialGround } from './ground.ts';

/** What mutating webhooks do with what they have done already. */
export interface RefeedReport {
  readonly scenario: string;
  readonly requests: readonly RefedRequest[];
}

export interface RefedRequest {
  /** The name of its step. */
  readonly name: string;
  /** The mutating webhooks that were called, `CONFIGURATION/WEBHOOK`. */
  readonly webhooks: readonly string[];
  /** Those that change their own output, or what the others made of it. */
  readonly restless: readonly RestlessWebhook[];
  /** When all are called again and again: after how many rounds nothing changes any more. */
  readonly rounds: Rounds;
  /** What the write itself shows, with its real second round. */
  readonly findings: readonly Finding[];
}

export interface RestlessWebhook {
  readonly webhook: string;
  /** `own`: right after itself, so it is not idempotent; `others`: only after all of them had their turn, so it has more to do. */
  readonly after: 'own' | 'others';
  readonly changes: readonly Change[];
  /** The request is refused for what it does the second time, with this. */
  readonly refused: string;
}

export type Rounds =
  | { readonly outcome: 'settles'; readonly after: number }
  /** The object comes back to what it was so many rounds before: webhooks undo each other. */
  | { readonly outcome: 'cycle'; readonly length: number; readonly changes: readonly Change[] }
  /** It is another one each time, or grows. */
  | { readonly outcome: 'grows'; readonly changes: readonly Change[] };

/** So many rounds are looked at. */
const mostRounds = 8;

/**
 * Gives every mutating webhook of a scenario's writes its own output again, and then lets all of them go round until nothing
 * changes, as dry runs before each write is made. Rejects when the scenario cannot be loaded.
 */
export async function refeed(
  scenario: Scenario,
  worlds: Worlds,
  onProgress?: (text: string) => void,
): Promise<RefeedReport> {
  const ground = await openTrials(scenario, worlds);
  try {
    const requests: RefedRequest[] = [];
    for (const step of scenario.steps) {
      onProgress?.(step.name);
      if (isTried(step)) requests.push(await refeedStep(step, ground));
      await ground.make(step);
    }
    return { scenario: scenario.name, requests };
  } finally {
    await ground.close();
  }
}

async function refeedStep(step: Step, ground: TrialGround): Promise<RefedRequest> {
  const once = await ground.attempt(step);
  const webhooks = calledIn(once?.trace);
  const restless: RestlessWebhook[] = [];
  for (const webhook of webhooks) {
    const own = secondTurn(webhook, await ground.attempt(step, [webhook, webhook]), 'own');
    const others = own ?? secondTurn(webhook, await ground.attempt(step, [...webhooks, webhook]), 'others');
    if (others) restless.push(others);
  }
  return {
    name: step.name,
    webhooks,
    restless,
    rounds: await goRound(step, webhooks, ground),
    findings: once?.trace ? findingsOf(once.trace).filter(({ severity }) => severity !== 'note') : [],
  };
}

const calledIn = (trace: Trace | undefined): readonly string[] => [
  ...new Set(
    (trace?.admission ?? []).flatMap((one) =>
      one.type === 'webhook' && one.phase === 'mutating' && one.outcome === 'called' ? [hookId(one)] : [],
    ),
  ),
];

/** What the webhook did in its second turn; undefined: nothing. */
function secondTurn(
  webhook: string,
  answer: WorldAnswer | undefined,
  after: RestlessWebhook['after'],
): RestlessWebhook | undefined {
  const trace = answer?.trace;
  const second = trace && turnsOf(trace, webhook)[1];
  if (answer === undefined || trace === undefined || second === undefined) return undefined;
  const state = statesOf(trace)[second];
  const changes = state ? changesBetween(state.before, state.after) : [];
  const outcome = trace.admission[second]?.outcome;
  if (changes.length === 0 && outcome !== 'denied' && outcome !== 'failed-closed') return undefined;
  return { webhook, after, changes, refused: answer.code >= 400 ? asString(answer.body['message']) : '' };
}

/** The places of a webhook's turns among the decisions. */
const turnsOf = ({ admission }: Trace, webhook: string): readonly number[] =>
  admission.flatMap((one, at) =>
    one.type === 'webhook' && one.phase === 'mutating' && one.round === 0 && hookId(one) === webhook ? [at] : [],
  );

/** Lets all have their turns again and again, and compares the object after each round. */
async function goRound(step: Step, webhooks: readonly string[], ground: TrialGround): Promise<Rounds> {
  if (webhooks.length === 0) return { outcome: 'settles', after: 0 };
  const again = Array.from({ length: mostRounds }, () => webhooks).flat();
  const states = roundsIn((await ground.attempt(step, again))?.trace, webhooks.length);
  const texts = states.map(meaningText);
  for (const [at, text] of texts.entries()) {
    if (at === 0) continue;
    const earlier = texts.slice(0, at).lastIndexOf(text);
    if (earlier === at - 1) return { outcome: 'settles', after: at };
    if (earlier >= 0)
      return { outcome: 'cycle', length: at - earlier, changes: changesBetween(states[at - 1], states[at]) };
  }
  const [last, before] = [states.at(-1), states.at(-2)];
  if (states.length < mostRounds || last === undefined) return { outcome: 'settles', after: states.length };
  return { outcome: 'grows', changes: changesBetween(before, last) };
}

/** The object after each round of so many turns. */
function roundsIn(trace: Trace | undefined, size: number): readonly JsonObject[] {
  if (trace === undefined) return [];
  const states = statesOf(trace);
  let current: JsonObject | undefined = trace.objectReceived ?? undefined;
  let turn = 0;
  return trace.admission.flatMap((one, at) => {
    if (one.type !== 'webhook' || one.phase !== 'mutating' || one.round !== 0) return [];
    current = states[at]?.after ?? current;
    turn += 1;
    return turn % size === 0 && current !== undefined ? [current] : [];
  });
}
