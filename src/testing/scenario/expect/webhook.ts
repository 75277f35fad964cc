import type { TracedRequest, TracedWebhook } from '../../../explain/trace/trace.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import type { SourceLocation, WebhookExpectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import {
  failureSentence,
  hasDenied,
  hasDecisionName,
  outcomeSentences,
  webhookWasCalled,
  webhooksIn,
  outcomeSentence,
} from './decisions.ts';
import { shortJson } from './differences.ts';
import { isRefused, type StepObservation } from './step-observation.ts';
import { checkTexts, expectedLine, expectedText, textMatches, yamlText } from './text.ts';

/** Needs the trace. */
export function checkWebhook(
  expected: WebhookExpectation,
  path: WebhookPath,
  observation: StepObservation,
): readonly Failure[] {
  const { trace } = observation;
  if (trace === undefined) return [];
  const failed = (message: string): readonly Failure[] => [
    webhookFailure(path, expected.place, `${expected.name} ${message}`),
  ];
  const all = webhooksIn(trace).filter((webhook) => isExpectedWebhook(expected, webhook));
  const configurations = new Set(all.map(({ configuration }) => configuration));
  if (configurations.size > 1) {
    const list = [...configurations].join(', ');
    return failed(`is the name of several webhooks; name one with configuration: ${list}`);
  }
  const webhookDecisions = all.filter(({ round }) => expected.round === undefined || round === expected.round);
  if (webhookDecisions.length === 0) {
    return expectsNoCall(expected)
      ? checkAbsent(expected, path, observation)
      : failed(describeAbsence(all, expected, observation));
  }
  const story = outcomeSentences(webhookDecisions, trace.request);
  const wrong =
    outcomeProblem(expected, webhookDecisions, story) ?? timesProblem(expected, webhookDecisions, trace.request);
  return wrong === undefined ? checkWebhookDetails(expected, { path, webhookDecisions, story }) : failed(wrong);
}

type WebhookPath = `webhooks[${number}]`;

const webhookFailure = (what: WebhookPath, place: SourceLocation, message: string): Failure => ({
  what,
  place,
  message,
});

const isExpectedWebhook = ({ name, configuration, admission }: WebhookExpectation, webhook: TracedWebhook): boolean =>
  hasDecisionName(webhook, name) &&
  (configuration === undefined || configuration === webhook.configuration) &&
  (admission === undefined || admission === webhook.phase);

/** `times: 0` also holds for a known webhook without a decision. */
const expectsNoCall = ({ times, outcome }: WebhookExpectation): boolean => times === 0 && outcome === undefined;

function checkAbsent(
  expected: WebhookExpectation,
  path: WebhookPath,
  observation: StepObservation,
): readonly Failure[] {
  if (isKnown(expected, observation)) return [];
  return [webhookFailure(path, expected.place, `${expected.name} ${unknownWebhookText(expected.name, observation)}`)];
}

const isKnown = ({ name }: WebhookExpectation, { known }: StepObservation): boolean =>
  known.some((one) => one.name === name || `${one.configuration}/${one.name}` === name);

function unknownWebhookText(name: string, { trace, known }: StepObservation): string {
  const names = new Set([...(trace ? webhooksIn(trace) : []), ...known].map((one) => one.name));
  return `is not a webhook of any configuration${suggestion(name, [...names])}`;
}

/** Why there is no decision of the webhook, or none in that round. */
function describeAbsence(
  all: readonly TracedWebhook[],
  expected: WebhookExpectation,
  observation: StepObservation,
): string {
  const expectation = `was expected ${describeExpectation(expected)}`;
  const [last] = all.slice(-1);
  if (last && observation.trace) {
    return `${expectation}, and has no decision in round ${expected.round}; it ${outcomeSentence(last, observation.trace.request)}`;
  }
  if (!isKnown(expected, observation)) return unknownWebhookText(expected.name, observation);
  return `${expectation}, and was not considered${describeEarlierRefusal(observation)}`;
}

function describeEarlierRefusal({ trace, answer }: StepObservation): string {
  if (!isRefused(answer)) return ': no stored configuration has it';
  const before = trace?.admission.find((decision) => hasDenied(decision) || decision.outcome === 'failed-closed');
  return before ? `: ${before.name} refused the request first` : ': the request was refused first';
}

const outcomeTexts = {
  called: 'to be called',
  skipped: 'to be skipped',
  denied: 'to deny the request',
  'failed-open': 'to fail open',
  'failed-closed': 'to fail closed',
  refused: 'to refuse the request before its call',
} as const;

function describeExpectation({ outcome, because, round, times }: WebhookExpectation): string {
  const what = outcome === undefined ? describeTimes(times) : outcomeTexts[outcome];
  return `${what}${because === undefined ? '' : ` because of ${because}`}${round === undefined ? '' : ` in round ${round}`}`;
}

function describeTimes(times: number | undefined): string {
  if (times === undefined) return 'to be considered';
  return times === 0 ? 'not to be called' : `to be called ${formatTimes(times)}`;
}

const formatTimes = (times: number): string => (times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`);

function outcomeProblem(
  expected: WebhookExpectation,
  webhookDecisions: readonly TracedWebhook[],
  story: string,
): string | undefined {
  if (expected.outcome === undefined || isOutcomeMet(expected, webhookDecisions)) return undefined;
  return `was expected ${describeExpectation(expected)}, and ${story}`;
}

function isOutcomeMet({ outcome, because }: WebhookExpectation, webhookDecisions: readonly TracedWebhook[]): boolean {
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
  const was = calls.length === 0 ? 'was not called' : `was called ${formatTimes(calls.length)}`;
  const skipped = webhookDecisions.find((decided) => decided.outcome === 'skipped');
  const why = calls.length < times && skipped ? `: it ${outcomeSentence(skipped, request)}` : '';
  return `was expected ${describeTimes(times)}, and ${was}${why}`;
}

interface WebhookCheck {
  /** `webhooks[0]`: what a failure is about. */
  readonly path: WebhookPath;
  readonly webhookDecisions: readonly TracedWebhook[];
  readonly story: string;
}

function checkWebhookDetails(expected: WebhookExpectation, check: WebhookCheck): readonly Failure[] {
  return [
    ...checkPatch(expected, check),
    ...checkPhase(expected, check),
    ...checkError(expected, check),
    ...checkWarnings(expected, check),
    ...checkAnnotations(expected, check),
  ];
}

function checkPatch(
  { patch, name, place }: WebhookExpectation,
  { path, webhookDecisions, story }: WebhookCheck,
): readonly Failure[] {
  if (patch === undefined) return [];
  const patched = webhookDecisions.find((decided) => (decided.patch ?? []).length > 0);
  const actual = patched?.patch ?? [];
  const operations = patch ?? [];
  if (sameJson(actual, operations)) return [];
  const message =
    operations.length === 0
      ? `${name} was expected to send no patch, and sent ${shortJson(actual)}`
      : actual.length === 0
        ? `${name} sent no patch: it ${story}`
        : `${name} sent another patch${describeOperationDifference(actual, operations)}`;
  return [{ what: `${path}.patch`, place, message, expected: yamlText(operations), actual: yamlText(actual) }];
}

type Patch = NonNullable<TracedWebhook['patch']>;

function describeOperationDifference(actual: Patch, expected: Patch): string {
  if (actual.length !== expected.length)
    return `: ${expected.length} operations were expected, and there are ${actual.length}`;
  const index = expected.findIndex((operation, at) => !sameJson(operation, actual[at]));
  return `: operation ${index} was expected to be ${shortJson(expected[index])}, and is ${shortJson(actual[index])}`;
}

function checkPhase(
  { phase, name, place }: WebhookExpectation,
  { path, webhookDecisions, story }: WebhookCheck,
): readonly Failure[] {
  if (phase === undefined || webhookDecisions.some((decided) => decided.failurePhase === phase)) return [];
  const failed = webhookDecisions.find((decided) => decided.failurePhase !== undefined);
  const was = failed ? `failed: ${failureSentence(failed)}` : story;
  return [{ what: `${path}.phase`, place, message: `${name} was expected to fail in phase ${phase}, and ${was}` }];
}

function checkError(
  { error, name, place }: WebhookExpectation,
  { path, webhookDecisions, story }: WebhookCheck,
): readonly Failure[] {
  if (error === undefined || webhookDecisions.some((decided) => textMatches(error, decided.error ?? ''))) return [];
  const failed = webhookDecisions.find((decided) => decided.error !== undefined);
  const was = failed?.error === undefined ? story : `failed with ${JSON.stringify(failed.error)}`;
  const message = `${name} was expected to fail with ${expectedText(error)}, and ${was}`;
  const sides = failed?.error === undefined ? {} : { expected: expectedLine(error), actual: failed.error };
  return [{ what: `${path}.error`, place, message, ...sides }];
}

function checkWarnings(
  { warnings, place }: WebhookExpectation,
  { path, webhookDecisions }: WebhookCheck,
): readonly Failure[] {
  if (warnings === undefined) return [];
  const actual = webhookDecisions.filter(webhookWasCalled).flatMap((decided) => decided.warnings ?? []);
  return checkTexts(warnings, actual, { what: `${path}.warnings`, place });
}

function checkAnnotations(
  { auditAnnotations = {}, name, place }: WebhookExpectation,
  { path, webhookDecisions }: WebhookCheck,
): readonly Failure[] {
  const actual = Object.assign({}, ...webhookDecisions.map((decided) => decided.auditAnnotations)) as Readonly<
    Record<string, string>
  >;
  return Object.entries(auditAnnotations).flatMap(([key, value]) => {
    const found = actual[key] ?? actual[`${name}/${key}`];
    if (found === value) return [];
    const was = found === undefined ? 'it is not there' : `it is ${JSON.stringify(found)}`;
    const message = `${key} was expected to be ${JSON.stringify(value)}, and ${was}`;
    return [{ what: `${path}.auditAnnotations`, place, message }];
  });
}
