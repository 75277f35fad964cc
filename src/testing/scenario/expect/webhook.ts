import type { TracedRequest, TracedWebhook } from '../../../explain/trace/trace.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import type { SourceLocation, WebhookExpectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import {
  failureOf,
  hasDenied,
  isCalled,
  outcomeSentences,
  webhookWasCalled,
  webhooksIn,
  outcomeSentence,
} from './decisions.ts';
import { short } from './differences.ts';
import { isRefused, type StepObservation } from './step-observation.ts';
import { checkTexts, expectedLine, expectedText, textMatches, yamlText } from './text.ts';

/** Needs the trace. */
export function checkWebhook(
  expected: WebhookExpectation,
  what: WebhookWhat,
  shown: StepObservation,
): readonly Failure[] {
  const { trace } = shown;
  if (trace === undefined) return [];
  const failed = (message: string): readonly Failure[] => [
    failure(what, expected.place, `${expected.name} ${message}`),
  ];
  const all = webhooksIn(trace).filter((webhook) => isMeant(expected, webhook));
  const configurations = new Set(all.map(({ configuration }) => configuration));
  if (configurations.size > 1) {
    const list = [...configurations].join(', ');
    return failed(`is the name of several webhooks; name one with configuration: ${list}`);
  }
  const webhookDecisions = all.filter(({ round }) => expected.round === undefined || round === expected.round);
  if (webhookDecisions.length === 0) {
    return expectsNoCall(expected) ? checkAbsent(expected, what, shown) : failed(absence(all, expected, shown));
  }
  const story = outcomeSentences(webhookDecisions, trace.request);
  const wrong =
    outcomeProblem(expected, webhookDecisions, story) ?? timesProblem(expected, webhookDecisions, trace.request);
  return wrong === undefined ? checkWebhookDetails(expected, { what, webhookDecisions, story }) : failed(wrong);
}

type WebhookWhat = `webhooks[${number}]`;

const failure = (what: WebhookWhat, place: SourceLocation, message: string): Failure => ({ what, place, message });

const isMeant = ({ name, configuration, admission }: WebhookExpectation, webhook: TracedWebhook): boolean =>
  isCalled(webhook, name) &&
  (configuration === undefined || configuration === webhook.configuration) &&
  (admission === undefined || admission === webhook.phase);

/** `times: 0` also holds for a known webhook without a decision. */
const expectsNoCall = ({ times, outcome }: WebhookExpectation): boolean => times === 0 && outcome === undefined;

function checkAbsent(expected: WebhookExpectation, what: WebhookWhat, shown: StepObservation): readonly Failure[] {
  if (isKnown(expected, shown)) return [];
  return [failure(what, expected.place, `${expected.name} ${unknownWebhookText(expected.name, shown)}`)];
}

const isKnown = ({ name }: WebhookExpectation, { known }: StepObservation): boolean =>
  known.some((one) => one.name === name || `${one.configuration}/${one.name}` === name);

function unknownWebhookText(name: string, { trace, known }: StepObservation): string {
  const names = new Set([...(trace ? webhooksIn(trace) : []), ...known].map((one) => one.name));
  return `is not a webhook of any configuration${suggestion(name, [...names])}`;
}

/** Why there is no decision of the webhook, or none in that round. */
function absence(all: readonly TracedWebhook[], expected: WebhookExpectation, shown: StepObservation): string {
  const wanted = `was expected ${wantedText(expected)}`;
  const [last] = all.slice(-1);
  if (last && shown.trace) {
    return `${wanted}, and has no decision in round ${expected.round}; it ${outcomeSentence(last, shown.trace.request)}`;
  }
  if (!isKnown(expected, shown)) return unknownWebhookText(expected.name, shown);
  return `${wanted}, and was not considered${refusedFirst(shown)}`;
}

function refusedFirst({ trace, answer }: StepObservation): string {
  if (!isRefused(answer)) return ': no stored configuration has it';
  const before = trace?.admission.find((decision) => hasDenied(decision) || decision.outcome === 'failed-closed');
  return before ? `: ${before.name} refused the request first` : ': the request was refused first';
}

const outcomes = {
  called: 'to be called',
  skipped: 'to be skipped',
  denied: 'to deny the request',
  'failed-open': 'to fail open',
  'failed-closed': 'to fail closed',
  refused: 'to refuse the request before its call',
} as const;

function wantedText({ outcome, because, round, times }: WebhookExpectation): string {
  const what = outcome === undefined ? timesText(times) : outcomes[outcome];
  return `${what}${because === undefined ? '' : ` because of ${because}`}${round === undefined ? '' : ` in round ${round}`}`;
}

function timesText(times: number | undefined): string {
  if (times === undefined) return 'to be considered';
  return times === 0 ? 'not to be called' : `to be called ${timesWord(times)}`;
}

const timesWord = (times: number): string => (times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`);

function outcomeProblem(
  expected: WebhookExpectation,
  webhookDecisions: readonly TracedWebhook[],
  story: string,
): string | undefined {
  if (expected.outcome === undefined || holds(expected, webhookDecisions)) return undefined;
  return `was expected ${wantedText(expected)}, and ${story}`;
}

function holds({ outcome, because }: WebhookExpectation, webhookDecisions: readonly TracedWebhook[]): boolean {
  if (outcome === 'called')
    return webhookDecisions.some((decided) => decided.outcome === 'called' || decided.outcome === 'denied');
  if (outcome !== 'skipped') return webhookDecisions.some((decided) => decided.outcome === outcome);
  if (because === undefined) return webhookDecisions.every((decided) => decided.outcome === 'skipped');
  return webhookDecisions.some((decided) => reasonNames(decided).includes(because));
}

/** `matchCondition` and `matchCondition/exclude-leases`, `not-reinvoked` and `reinvocationPolicy-Never`. */
function reasonNames({ reason }: TracedWebhook): readonly string[] {
  if (reason === undefined) return [];
  if (reason.because === 'matchCondition') return [reason.because, `${reason.because}/${reason.condition}`];
  return reason.because === 'not-reinvoked' ? [reason.because, reason.detail] : [reason.because];
}

function timesProblem(
  { times }: WebhookExpectation,
  webhookDecisions: readonly TracedWebhook[],
  request: TracedRequest,
): string | undefined {
  const calls = webhookDecisions.filter(webhookWasCalled);
  if (times === undefined || calls.length === times) return undefined;
  const was = calls.length === 0 ? 'was not called' : `was called ${timesWord(calls.length)}`;
  const skipped = webhookDecisions.find((decided) => decided.outcome === 'skipped');
  const why = calls.length < times && skipped ? `: it ${outcomeSentence(skipped, request)}` : '';
  return `was expected ${timesText(times)}, and ${was}${why}`;
}

interface Decisions {
  /** `webhooks[0]`: what a failure is about. */
  readonly what: WebhookWhat;
  readonly webhookDecisions: readonly TracedWebhook[];
  readonly story: string;
}

function checkWebhookDetails(expected: WebhookExpectation, webhookDecisions: Decisions): readonly Failure[] {
  return [
    ...checkPatch(expected, webhookDecisions),
    ...checkPhase(expected, webhookDecisions),
    ...checkError(expected, webhookDecisions),
    ...checkWarnings(expected, webhookDecisions),
    ...checkAnnotations(expected, webhookDecisions),
  ];
}

function checkPatch(
  { patch, name, place }: WebhookExpectation,
  { what, webhookDecisions, story }: Decisions,
): readonly Failure[] {
  if (patch === undefined) return [];
  const patched = webhookDecisions.find((decided) => (decided.patch ?? []).length > 0);
  const actual = patched?.patch ?? [];
  const wanted = patch ?? [];
  if (sameJson(actual, wanted)) return [];
  const message =
    wanted.length === 0
      ? `${name} was expected to send no patch, and sent ${short(actual)}`
      : actual.length === 0
        ? `${name} sent no patch: it ${story}`
        : `${name} sent another patch${differingOperation(wanted.length, actual, wanted)}`;
  return [{ what: `${what}.patch`, place, message, expected: yamlText(wanted), actual: yamlText(actual) }];
}

type Patch = NonNullable<TracedWebhook['patch']>;

function differingOperation(count: number, actual: Patch, wanted: Patch): string {
  if (actual.length !== count) return `: ${count} operations were expected, and there are ${actual.length}`;
  const index = wanted.findIndex((operation, at) => !sameJson(operation, actual[at]));
  return `: operation ${index} was expected to be ${short(wanted[index])}, and is ${short(actual[index])}`;
}

function checkPhase(
  { phase, name, place }: WebhookExpectation,
  { what, webhookDecisions, story }: Decisions,
): readonly Failure[] {
  if (phase === undefined || webhookDecisions.some((decided) => decided.failurePhase === phase)) return [];
  const failed = webhookDecisions.find((decided) => decided.failurePhase !== undefined);
  const was = failed ? `failed: ${failureOf(failed)}` : story;
  return [{ what: `${what}.phase`, place, message: `${name} was expected to fail in phase ${phase}, and ${was}` }];
}

function checkError(
  { error, name, place }: WebhookExpectation,
  { what, webhookDecisions, story }: Decisions,
): readonly Failure[] {
  if (error === undefined || webhookDecisions.some((decided) => textMatches(error, decided.error ?? ''))) return [];
  const failed = webhookDecisions.find((decided) => decided.error !== undefined);
  const was = failed?.error === undefined ? story : `failed with ${JSON.stringify(failed.error)}`;
  const message = `${name} was expected to fail with ${expectedText(error)}, and ${was}`;
  const sides = failed?.error === undefined ? {} : { expected: expectedLine(error), actual: failed.error };
  return [{ what: `${what}.error`, place, message, ...sides }];
}

function checkWarnings(
  { warnings, place }: WebhookExpectation,
  { what, webhookDecisions }: Decisions,
): readonly Failure[] {
  if (warnings === undefined) return [];
  const actual = webhookDecisions.filter(webhookWasCalled).flatMap((decided) => decided.warnings ?? []);
  return checkTexts(warnings, actual, { what: `${what}.warnings`, place });
}

function checkAnnotations(
  { auditAnnotations = {}, name, place }: WebhookExpectation,
  { what, webhookDecisions }: Decisions,
): readonly Failure[] {
  const actual = Object.assign({}, ...webhookDecisions.map((decided) => decided.auditAnnotations)) as Readonly<
    Record<string, string>
  >;
  return Object.entries(auditAnnotations).flatMap(([key, value]) => {
    const found = actual[key] ?? actual[`${name}/${key}`];
    if (found === value) return [];
    const was = found === undefined ? 'it is not there' : `it is ${JSON.stringify(found)}`;
    const message = `${key} was expected to be ${JSON.stringify(value)}, and ${was}`;
    return [{ what: `${what}.auditAnnotations`, place, message }];
  });
}
