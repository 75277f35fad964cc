import { asString, type JsonObject } from '../../machinery/json/json.ts';
import type { Finding } from '../findings/finding.ts';
import { findingsOf } from '../findings/findings-of.ts';
import { changedBeforeDenial, reinvocationOf, unseenChangesByCall } from '../findings/order-remedy.ts';

import { hasChanged, statesOf } from '../trace/object-states.ts';
import { heldMilliseconds } from '../trace/sentences.ts';
import { holdsIn, inOrderConsidered, refusalMessage, resourceText } from '../trace/trace-summary.ts';
import type { Trace, TracedDecision, TracedRequest, Verdict } from '../trace/trace.ts';
import { type ConversionModel, conversionModels } from './conversion-model.ts';
import { decisionModel, type DecisionModel } from './decision-model.ts';
import type { Headline } from './about-decision.ts';
import { headlinesOf } from './headlines.ts';
import { groupByCallee, passTitle } from './callee-headline.ts';
import { type TableRow, tableRow } from './decision-table.ts';
import { type RequestHeadline, requestHeadline, unseenChanges } from './request-headline.ts';

/** One request as `kadmit explain` and the page print it. */
export interface TraceModel {
  readonly id: string;
  /** Present for another release of Kubernetes than the default one. */
  readonly release?: string;
  readonly verdict: VerdictModel;
  /** The second line of `kadmit explain`. */
  readonly headline: RequestHeadline;
  readonly request: RequestModel;
  /** Errors first. */
  readonly findings: readonly Finding[];
  /** Refusals first, then failures, near misses and calls. */
  readonly headlines: readonly Headline[];
  /** A row for each webhook and policy, in the order considered. */
  readonly table: readonly TableRow[];
  /** Changes that a webhook did not see, since it was called before; absent for none. */
  readonly unseen?: string;
  readonly passes: readonly PassModel[];
  /** In the order of the first conversion of each kind. */
  readonly conversions: readonly ConversionModel[];
  readonly warnings: readonly string[];
}

export interface VerdictModel {
  readonly outcome: Verdict;
  readonly code: number;
  /** Without the time at breakpoints. */
  readonly milliseconds: number;
  readonly dryRun: boolean;
  /** Of a refusal: the client's message. */
  readonly message: string;
}

export interface RequestModel {
  /** `create pods web in default by alice`. */
  readonly sentence: string;
  readonly verb: string;
  /** `deployments.apps/scale`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly userAgent: string;
}

/** One round of one phase of admission. */
export interface PassModel {
  readonly phase: 'mutating' | 'validating';
  readonly round: 0 | 1;
  /** `Validating, second round`. */
  readonly title: string;
  /** Counts the admission attempts of the request from 0. */
  readonly attempt: number;
  /** Of a deletecollection: the name of the object. */
  readonly object?: string;
  /** In the order considered. */
  readonly decisions: readonly DecisionModel[];
  /** Of the first mutating round: why there was a second one, or none although a webhook has IfNeeded. */
  readonly reinvocation?: string;
}

export function modelOf(trace: Trace): TraceModel {
  const states = statesOf(trace);
  const unseen = unseenChangesByCall(trace);
  const decisions = trace.admission.map((decision, at) =>
    decisionModel(trace, decision, { states: states[at], unseen: unseen.get(at) ?? '' }),
  );
  const findings = findingsOf(trace);
  const reported = reportedKeys(findings, decisions);
  const headlines = headlinesOf(trace, decisions);
  const passes = passesOf(trace, decisions);
  const considered = passes.flatMap((pass) => pass.decisions.flatMap((one) => (one.type === 'plugin' ? [] : [one])));
  const callees = groupByCallee(considered).toSorted(([a], [b]) => considered.indexOf(a) - considered.indexOf(b));
  const unseenText = trace.verdict === 'admitted' ? unseenChanges(callees) : undefined;
  return {
    id: trace.id,
    ...(trace.release === undefined ? {} : { release: trace.release }),
    verdict: verdictOf(trace),
    headline: requestHeadline(trace, { findings, headlines, callees }),
    request: requestModel(trace.request),
    findings,
    headlines: withChangesBefore(headlines, findings, trace).filter(
      ({ key }) => key === undefined || !reported.has(key),
    ),
    table: callees.map(tableRow),
    ...(unseenText === undefined ? {} : { unseen: unseenText }),
    passes,
    conversions: conversionModels(trace),
    warnings: trace.response.warnings,
  };
}

/** The denial that the client received, with what others changed before it, unless a finding says so. */
function withChangesBefore(
  headlines: readonly Headline[],
  findings: readonly Finding[],
  trace: Trace,
): readonly Headline[] {
  const [first, ...others] = headlines;
  const isFound = findings.some(({ rule }) => rule === 'refused-others-work' || rule === 'refused-own-work');
  const hint = isFound ? undefined : changedBeforeDenial(trace);
  if (first?.about !== 'refusal' || first.hint !== undefined || hint === undefined) return headlines;
  return [{ ...first, hint }, ...others];
}

/** The keys of decisions that a finding reports completely. */
const reportedKeys = (findings: readonly Finding[], decisions: readonly DecisionModel[]): ReadonlySet<string> =>
  new Set(
    findings
      .filter(({ rule }) => ['unchecked', 'refused-by-object', 'refused-by-plugin'].includes(rule))
      .flatMap(({ evidence }) => evidence.map(({ decision = -1 }) => decisions[decision]?.key ?? '')),
  );

function verdictOf(trace: Trace): VerdictModel {
  const { verdict, response, request } = trace;
  const milliseconds = trace.milliseconds - heldMilliseconds(holdsIn(trace));
  const message = verdict === 'refused' ? refusalMessage({ response }) : '';
  return { outcome: verdict, code: response.code, milliseconds, dryRun: request.dryRun, message };
}

function requestModel(request: TracedRequest): RequestModel {
  const { verb, namespace, name, user, userAgent } = request;
  const resource = resourceText(request);
  const where = namespace === '' || request.resource === 'namespaces' ? '' : ` in ${namespace}`;
  const username = usernameOf(user);
  const byUser = username === '' ? '' : ` by ${username}`;
  const sentence = `${verb} ${resource}${nameText(request)}${where}${byUser}`;
  return { sentence, verb, resource, namespace, name, user: username, userAgent };
}

/** A collection, and an object with generateName, has no name. */
const nameText = ({ name }: TracedRequest): string => (name === '' ? '' : ` ${name}`);

const usernameOf = (user: JsonObject | null): string => asString(user?.['username']);

function passesOf(trace: Trace, decisions: readonly DecisionModel[]): readonly PassModel[] {
  const passes: { key: string; first: TracedDecision; members: DecisionModel[] }[] = [];
  trace.admission.forEach((decision, at) => {
    const { phase, round, attempt = 0 } = decision;
    const key = `${attempt} ${phase} ${round}`;
    const model = decisions[at];
    if (model === undefined) return;
    const last = passes.at(-1);
    if (last?.key === key) last.members.push(model);
    else passes.push({ key, first: decision, members: [model] });
  });
  return passes.map(({ first, first: { phase, round, attempt = 0, object }, members }) => ({
    phase,
    round,
    title: passTitle(first),
    attempt,
    ...(object === undefined ? {} : { object }),
    decisions: inOrderConsidered(members),
    ...(phase === 'mutating' && round === 0 && withReinvocation(trace, attempt)),
  }));
}

function withReinvocation(trace: Trace, attempt: number): Pick<PassModel, 'reinvocation'> {
  const reinvocation = reinvocationSentence(trace, attempt);
  return reinvocation === undefined ? {} : { reinvocation };
}

/**
 * Why a second mutating round ran in this attempt (rules REI-1 to REI-7), or why not although a webhook has IfNeeded.
 */
function reinvocationSentence(trace: Trace, attempt: number): string | undefined {
  const states = statesOf(trace);
  const mutating = trace.admission.flatMap((one, at) =>
    one.phase === 'mutating' && (one.attempt ?? 0) === attempt ? [{ one, hasEffect: hasChanged(one, states[at]) }] : [],
  );
  const patched = mutating.filter(({ one }) => one.round === 0 && isPatch(one));
  const hadSecond = mutating.some(({ one }) => one.round === 1);
  if (hadSecond && patched.length > 0) {
    const changers = patched.filter(({ hasEffect }) => hasEffect);
    const trigger =
      changers.length > 0 ? namesOf(changers) : `${namesOf(patched)}, whose patch counts although it changes nothing`;
    return `reinvocation triggered by ${trigger}${notCalledAgain(mutating)}`;
  }
  if (hadSecond) return 'reinvocation triggered: the object changed';
  if (mutating.some(({ one }) => endingOutcomes.has(one.outcome))) return undefined;
  const isWanted = mutating.some(
    ({ one }) => one.type === 'webhook' && one.outcome === 'called' && reinvocationOf(one) === 'IfNeeded',
  );
  return isWanted ? 'no reinvocation: no webhook changed the object' : undefined;
}

/** Why the second round had no calls; empty when it had some. */
function notCalledAgain(mutating: readonly { readonly one: TracedDecision }[]): string {
  const callees = mutating.map(({ one }) => one).filter(({ type }) => type !== 'plugin');
  if (callees.some(({ round, outcome }) => round === 1 && outcome !== 'skipped')) return '';
  return callees.some((one) => reinvocationOf(one) === 'IfNeeded')
    ? '; nothing changed after the webhooks with reinvocationPolicy: IfNeeded'
    : '; no webhook has reinvocationPolicy: IfNeeded';
}

function isPatch(one: TracedDecision): boolean {
  if (one.type === 'webhook') return one.outcome === 'called' && (one.patch ?? []).length > 0;
  return one.type === 'policy' && (one.mutations ?? []).some(({ result }) => result !== 'error');
}

const namesOf = (all: readonly { readonly one: TracedDecision }[]): string =>
  [...new Set(all.map(({ one }) => (one.type === 'policy' ? `policy ${one.name}` : one.name)))].join(', ');

const endingOutcomes: ReadonlySet<string> = new Set(['denied', 'refused', 'failed-closed']);
