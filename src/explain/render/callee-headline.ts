import { groupBy } from '../../machinery/lists.ts';
import { reinvocationOf, whyNotAgain } from '../findings/order-remedy.ts';
import type { TracedDecision } from '../trace/trace.ts';
import { ownText, type WebhookModel } from './decision-model.ts';
import type { Headline } from './about-decision.ts';
import type { PolicyModel } from './policy-model.ts';

export type CalleeModel = WebhookModel | PolicyModel;

/** The decisions about one webhook or policy in all rounds and attempts, in order. */
export type CalleeDecisions = readonly [CalleeModel, ...CalleeModel[]];

/**
 * The decisions of each webhook, and of each policy with one binding and one parameter object. A skip of the whole
 * policy belongs to all of its evaluated bindings.
 */
export function groupByCallee(decisions: readonly CalleeModel[]): readonly CalleeDecisions[] {
  const all = [...groupBy(decisions, calleeKey).values()];
  const called = all.filter((one) => one.some(wasCalled));
  const without = all.filter((one) => !one.some(wasCalled));
  const merged = called.map((one): CalleeDecisions => {
    const [first] = one;
    const skips = without.flat().filter((skip) => coversBinding(skip, first));
    const [head = first, ...others] = decisions.filter(
      (decision) => one.includes(decision) || skips.includes(decision),
    );
    return [head, ...others];
  });
  return [...merged, ...without.filter(([skip]) => !called.some(([first]) => coversBinding(skip, first)))];
}

function calleeKey(decision: CalleeModel): string {
  const { type, phase, name } = decision;
  const own = decision.type === 'webhook' ? [decision.configuration] : [decision.binding, decision.params];
  return JSON.stringify([type, phase, name, ...own]);
}

/** Is it a skip of the policy itself, or of the binding before its parameters were read? */
const coversBinding = (skip: CalleeModel, other: CalleeModel): boolean =>
  skip.type === 'policy' &&
  other.type === 'policy' &&
  skip.phase === other.phase &&
  skip.name === other.name &&
  (skip.binding === '' || (skip.binding === other.binding && skip.params === ''));

export const wasCalled = ({ outcome }: CalleeModel): boolean => outcome !== 'skipped';

/** At most one. `isReceived`: is this the refusal that the client received? */
export function calleeHeadline(
  decisions: CalleeDecisions,
  isReceived: (decision: CalleeModel) => boolean,
): readonly Headline[] {
  const called = decisions.filter(wasCalled);
  const refusals = called.filter((one) => headlineKind(one) === 'refusal');
  const main = refusals.find(isReceived) ?? refusals[0] ?? called.find((one) => headlineKind(one) === 'failed-open');
  if (main !== undefined) return [headline(main, outcomeText(main) + skippedLater(decisions))];
  const last = called.at(-1);
  if (last !== undefined) return [headline(inRound0(called, last), calledText(called, last) + skippedLater(decisions))];
  const skips = decisions.filter(isRelevant);
  const skip = skips.find(({ nearness }) => nearness === 'near') ?? skips[0];
  return skip === undefined ? [] : [headline(skip, `was not ${verbOf(skip)}: ${skip.sentence}`)];
}

function headline(decision: CalleeModel, words: string): Headline {
  const { tone, name, key } = decision;
  const hint = (decision.type === 'webhook' ? decision.advice.at(-1) : undefined) ?? decision.hints[0];
  return {
    about: headlineKind(decision),
    text: `${calleeTitle(decision)} ${words}`,
    tone,
    name,
    key,
    ...(hint === undefined ? {} : { hint }),
  };
}

function headlineKind({ outcome, nearness }: Pick<CalleeModel, 'outcome' | 'nearness'>): Headline['about'] {
  switch (outcome) {
    case 'denied':
    case 'failed-closed':
    case 'refused':
      return 'refusal';
    case 'failed-open':
      return 'failed-open';
    case 'called':
    case 'evaluated':
      return 'called';
    case 'skipped':
      return nearness === 'near' ? 'near-miss' : 'far-miss';
  }
}

/** `mutating webhook a.example.com (checks)`; of a called one also whether it is for all namespaces. */
function calleeTitle(decision: CalleeModel): string {
  const { name, outcome, round } = decision;
  if (decision.type === 'policy') {
    return decision.binding === '' ? `policy ${name}` : `policy ${name} (binding ${decision.binding})`;
  }
  const { phase, configuration, clauses, source } = decision;
  const [namespaces] = clauses;
  const isFirst = round === 0 && (outcome === 'called' || outcome === 'denied');
  const isAnywhere = isFirst && source.definition !== undefined && namespaces?.isEmpty === true;
  return `${phase} webhook ${name} (${configuration}${isAnywhere ? ', all namespaces' : ''})`;
}

const verbOf = ({ type }: CalleeModel): 'called' | 'evaluated' => (type === 'policy' ? 'evaluated' : 'called');

function outcomeText(decision: CalleeModel): string {
  const { sentence, outcome, round } = decision;
  if (decision.type === 'policy') return sentence;
  if (decision.source.assumed !== undefined) return `was ${sentence}`;
  if (outcome === 'denied') return `denied${round === 1 ? ' in the second round' : ''}${ownText(decision.source)}`;
  return sentence;
}

/** The first-round call of the attempt with the last call. */
const inRound0 = (called: readonly CalleeModel[], last: CalleeModel): CalleeModel =>
  called.find((one) => one.attempt === last.attempt && one.round === 0) ?? last;

/** `was called and added label team; called again in the second round and changed nothing`. */
function calledText(called: readonly CalleeModel[], last: CalleeModel): string {
  const first = inRound0(called, last);
  const dids = first === last ? [didText(first)] : [didText(first), didText(last)];
  const isIdle = dids.length === 2 && dids.every((did) => did === 'changed nothing');
  const [did = '', again] = isIdle ? ['changed nothing both times'] : dids;
  const more = again === undefined ? '' : `; ${verbOf(last)} again in the second round and ${again}`;
  return `${sentenceStart(first)}${did}${more}${unseenText(last)}`;
}

function sentenceStart(decision: CalleeModel): string {
  if (decision.type === 'policy') return '';
  return decision.source.assumed === undefined ? 'was called and ' : 'was ';
}

function didText(decision: CalleeModel): string {
  const isAssumed = decision.type === 'webhook' && decision.source.assumed !== undefined;
  return decision.type === 'policy' || isAssumed ? decision.sentence : decision.did;
}

function unseenText(last: CalleeModel): string {
  if (last.type === 'policy' || last.unseen === '' || last.source.assumed !== undefined) return '';
  const why = whyNotAgain(last.source);
  return why === undefined
    ? ''
    : `; ${last.unseen}: ${reinvocationOf(last.source) === 'Never' ? 'set reinvocationPolicy: IfNeeded' : why}`;
}

/** The last skip after a call, with its reason. */
function skippedLater(decisions: CalleeDecisions): string {
  const at = decisions.findLastIndex(wasCalled);
  const skip = decisions.slice(at + 1).findLast(isRelevant);
  const call = decisions[at];
  if (skip === undefined || call === undefined) return '';
  return `; not ${verbOf(skip)} ${whenSkipped(skip, call)}: ${skip.sentence}`;
}

function whenSkipped({ attempt, round, source: { object, again } }: CalleeModel, call: CalleeModel): string {
  if (attempt === call.attempt) return 'again in the second round';
  if (object !== undefined) return `for ${object}`;
  return `again when the request was admitted again${again === undefined ? '' : ` (${againText(again)})`}${round === 1 ? ', in the second round' : ''}`;
}

/** Skips of the second round for lack of changes or by reinvocationPolicy, and exempt objects, are not reported. */
const isRelevant = ({ outcome, source: { reason } }: CalleeModel): boolean =>
  outcome === 'skipped' && reason?.because !== 'not-reinvoked' && reason?.because !== 'exempt';

type Pass = Pick<TracedDecision, 'phase' | 'round' | 'attempt' | 'object' | 'again'>;

/** `Mutating, second round`, `Validating, of web, again: another write came first`. */
export function passTitle({ phase, round, object, again, attempt = 0 }: Pass): string {
  const parts = [phase === 'mutating' ? 'Mutating' : 'Validating'];
  if (round === 1) parts.push('second round');
  if (object !== undefined) parts.push(`of ${object}`);
  if (again !== undefined) parts.push(`again: ${againText(again)}`);
  // Traces of earlier versions have no reason.
  else if (object === undefined && attempt > 0) parts.push('again');
  return parts.join(', ');
}

export const againText = (again: NonNullable<Pass['again']>): string => reasons[again];

const reasons = {
  'another-write': 'another write came first',
  removal: 'what was marked as being deleted is removed',
  'name-taken': 'the generated name was taken',
} as const;
