import { asString } from '../../machinery/json/json.ts';
import { phaseSentence } from '../findings/failure-advice.ts';
import type { Finding } from '../findings/finding.ts';
import { reinvocationOf } from '../findings/order-remedy.ts';
import { refusalIn } from '../trace/trace-summary.ts';
import type { Trace, TracedDecision } from '../trace/trace.ts';
import type { Headline, Tone } from './about-decision.ts';
import { type CalleeDecisions, type CalleeModel, wasCalled } from './callee-headline.ts';

export interface RequestHeadline {
  readonly tone: Tone;
  readonly text: string;
}

interface Explained {
  readonly findings: readonly Finding[];
  readonly headlines: readonly Headline[];
  readonly callees: readonly CalleeDecisions[];
}

/** The most important finding, who refused it, or how many webhooks were called and changed the object. */
export function requestHeadline(trace: Trace, explained: Explained): RequestHeadline {
  const { headlines } = explained;
  const main = mainFinding(trace, explained.findings);
  if (trace.verdict === 'refused') return { tone: 'bad', text: main?.title ?? refusalText(trace, headlines) };
  if (main !== undefined) return { tone: 'warn', text: main.title };
  return {
    tone: 'good',
    text: headlines.find(({ about }) => about === 'no-webhook')?.text ?? countText(trace, explained),
  };
}

/** Of a refused request only an error explains the refusal. */
export const mainFinding = ({ verdict }: Pick<Trace, 'verdict'>, findings: readonly Finding[]): Finding | undefined =>
  findings.find(({ severity }) => severity === 'error' || (severity === 'warning' && verdict === 'admitted'));

function refusalText(trace: Trace, [first]: readonly Headline[]): string {
  const refusal = refusalIn(trace);
  return refusal === undefined ? (first?.text ?? 'refused') : decisionText(refusal);
}

function decisionText(refusal: TracedDecision): string {
  const name = refusal.type === 'webhook' ? refusal.name : `${refusal.type} ${refusal.name}`;
  if (refusal.outcome === 'denied') return `denied by ${name}`;
  const phase = refusal.type === 'webhook' ? refusal.failurePhase : undefined;
  if (phase === 'dry-run' || phase === 'patch') return `refused: ${name} failed ${phaseSentence(phase)}`;
  if (refusal.outcome === 'refused') return `refused by ${name} before its call`;
  return `refused: ${name} failed${phase === undefined ? '' : ` ${phaseSentence(phase)}`}, and failurePolicy is Fail`;
}

/** `5 of 10 webhooks called, 4 changed the Pod, nothing suspicious`; of a single one its own headline. */
function countText(trace: Trace, { headlines, callees }: Explained): string {
  const [only] = headlines;
  if (callees.length === 0) return 'no admission: it is a read';
  if (callees.length === 1 && only?.about === 'called') return only.text;
  const near = headlines.filter(({ about }) => about === 'near-miss').length;
  const assumed = callees.filter((one) => one.some(isAssumed)).length;
  return [
    ...(['webhook', 'policy'] as const).flatMap((type) => calledText(type, callees)),
    ...(assumed === 0 ? [] : [`${assumed} assumed (--assume)`]),
    ...changedText(trace, callees),
    ...(near === 0 ? [] : [`${near} nearly matched`]),
    ...(near === 0 && assumed === 0 ? ['nothing suspicious'] : []),
  ].join(', ');
}

const isAssumed = (decision: CalleeModel): boolean =>
  decision.type === 'webhook' && decision.source.assumed !== undefined;

const wasReallyCalled = (decision: CalleeModel): boolean => wasCalled(decision) && !isAssumed(decision);

function calledText(type: 'webhook' | 'policy', callees: readonly CalleeDecisions[]): readonly string[] {
  const all = callees.filter(([one]) => one.type === type);
  if (all.length === 0) return [];
  const called = all.filter((one) => one.some(wasReallyCalled)).length;
  const [one, many, did] = type === 'webhook' ? ['webhook', 'webhooks', 'called'] : ['policy', 'policies', 'evaluated'];
  return [`${called} of ${all.length} ${all.length === 1 ? one : many} ${did}`];
}

function changedText(
  { objectAfter, objectReceived, objectBefore }: Trace,
  callees: readonly CalleeDecisions[],
): readonly string[] {
  const mutating = callees.filter(([one]) => one.phase === 'mutating').filter((one) => one.some(wasReallyCalled));
  if (mutating.length === 0) return [];
  const changed = mutating.filter((one) => one.some(({ diff }) => diff.length > 0)).length;
  const kind = asString((objectAfter ?? objectReceived ?? objectBefore)?.['kind']) || 'object';
  return [`${changed === 0 ? 'none' : changed} changed the ${kind}`];
}

/** The first webhook that did not see a later change, and how many others there are; undefined for none. */
export function unseenChanges(callees: readonly CalleeDecisions[]): string | undefined {
  const early = callees.flatMap((one) => {
    const last = one.findLast(wasCalled);
    return last?.type === 'webhook' && last.unseen !== '' ? [last] : [];
  });
  const [first] = early;
  if (first === undefined) return undefined;
  const others = early.length === 1 ? '' : `; the same holds for ${early.length - 1} more`;
  const again =
    reinvocationOf(first.source) === 'Never' ? 'set reinvocationPolicy: IfNeeded' : 'there is no third round';
  return `${first.name} (${first.configuration}): ${first.unseen}${others}: ${again}; configurations are called in the order of their names`;
}
