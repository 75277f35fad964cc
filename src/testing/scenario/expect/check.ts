import type { Finding } from '../../../explain/findings/finding.ts';
import { findingsOf } from '../../../explain/findings/findings-of.ts';
import { type HistoryFinding, historyFindings } from '../../../explain/findings/history.ts';
import { maskTrace } from '../../../explain/trace/mask.ts';
import { summaryOf } from '../../../explain/trace/trace-summary.ts';
import type { Trace, TracedDecision, TracedWebhook } from '../../../explain/trace/trace.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asString } from '../../../machinery/json/json.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { hasDenied, isCalled, outcomeSentence, webhooksIn, webhookWasCalled } from './decisions.ts';
import { checkExactly, checkExpectedObject } from './object.ts';
import { checkOutcome, expectsRefusal, refusalText } from './outcome.ts';
import { checkPolicy } from './policy.ts';
import { type CheckResult, isRefused, type StepObservation } from './step-observation.ts';
import { checkAuditAnnotations, checkTexts, expectedLine, expectedText, textMatches } from './text.ts';
import { checkWebhook } from './webhook.ts';

/** Pure; checkGolden compares the golden file. Expectations that need a trace are skipped without one, and reported. */
export function checkExpectation(expect: Expectation, shown: StepObservation): CheckResult {
  const surprise = checkOutcome(expect, shown);
  const deniedBy = surprise.length > 0 || !expectsRefusal(expect) ? nothing : checkDeniedBy(expect, shown);
  const aboutAnswer =
    surprise.length > 0
      ? []
      : [...checkStatus(expect, shown), ...checkExpectedObject(expect, shown), ...checkExactly(expect, shown)];
  const warnings =
    expect.warnings && checkTexts(expect.warnings, shown.answer.warnings, { what: 'warnings', place: expect.place });
  return {
    failures: [
      ...surprise,
      ...deniedBy.failures,
      ...aboutAnswer,
      ...expect.webhooks.flatMap((webhook, index) => checkWebhook(webhook, `webhooks[${index}]`, shown)),
      ...expect.policies.flatMap((policy) => checkPolicy(policy, shown)),
      ...checkOrder(expect, shown),
      ...checkFindings(expect, shown),
      ...(warnings ?? []),
      ...checkAuditAnnotations(expect, shown),
      ...checkElapsed(expect, shown),
    ],
    leftOut: [...deniedBy.leftOut, ...(shown.trace ? [] : withoutTrace(expect))],
  };
}

const nothing: CheckResult = { failures: [], leftOut: [] };

/** Expectations that need a trace. */
function withoutTrace({ webhooks, policies, order, findings, auditAnnotations }: Expectation): readonly string[] {
  const why = 'there is no trace to look at';
  return [
    ...webhooks.map(() => `webhooks: ${why}`),
    ...policies.map(({ name }) => `policies.${name}: ${why}`),
    ...(order === undefined ? [] : [`order: ${why}`]),
    ...(findings === undefined ? [] : [`findings: ${why}`]),
    ...(Object.keys(auditAnnotations).length > 0 ? [`auditAnnotations: ${why}`] : []),
  ];
}

/** Milliseconds: overhead of machines, and jitter of their timers. */
const slowness = 1000;
const jitter = 20;

/** A real clock has a tolerance. */
function checkElapsed({ elapsedMs, place }: Expectation, { answer, clock }: StepObservation): readonly Failure[] {
  if (elapsedMs === undefined) return [];
  const { min, max } = elapsedMs;
  const took = answer.milliseconds;
  const [before, after] = clock === 'real' ? [jitter, Math.max(slowness, max / 5)] : [0, 0];
  if (took >= min - before && took <= max + after) return [];
  return [{ what: 'elapsed', place, message: `${rangeText(min, max)} was expected, and it took ${round(took)} ms` }];
}

function rangeText(min: number, max: number): string {
  if (min === max) return `${min} ms`;
  if (min === 0) return `at most ${max} ms`;
  return max === Number.POSITIVE_INFINITY ? `at least ${min} ms` : `${min} to ${max} ms`;
}

const round = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/**
 * The called webhooks by round; one that was called twice is listed twice. Validating webhooks, called in parallel, are in configuration
 * order. Needs the trace.
 */
function checkOrder({ order, place }: Expectation, { trace }: StepObservation): readonly Failure[] {
  if (order === undefined || trace === undefined) return [];
  const called = webhooksIn(trace).filter(webhookWasCalled);
  const validating = called.filter(({ phase }) => phase === 'validating').toSorted((a, b) => a.index - b.index);
  const inOrder = [...called.filter(({ phase }) => phase === 'mutating'), ...validating];
  const names = inOrder.map((webhook) => nameIn(order, webhook, inOrder));
  if (sameJson(names, order)) return [];
  const message = `the calls were expected to be ${list(order)}, and were ${list(names)}`;
  return [{ what: 'order', place, message, expected: lines(order), actual: lines(names) }];
}

/** As the scenario names it, else with its configuration when the name is ambiguous. */
function nameIn(order: readonly string[], webhook: TracedWebhook, all: readonly TracedWebhook[]): string {
  const written = order.find((name) => isCalled(webhook, name));
  if (written !== undefined) return written;
  const { name, configuration } = webhook;
  const isOnlyOne = all.every((other) => other.name !== name || other.configuration === configuration);
  return isOnlyOne ? name : `${configuration}/${name}`;
}

const list = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

const lines = (names: readonly string[]): string => names.map((name) => `${name}\n`).join('');

const checkStatus = (expect: Expectation, shown: StepObservation): readonly Failure[] => [
  ...checkCode(expect, shown),
  ...checkReason(expect, shown),
  ...checkMessage(expect, shown),
];

function checkCode({ code, place }: Expectation, { answer }: StepObservation): readonly Failure[] {
  if (code === undefined || code === answer.code) return [];
  const was = isRefused(answer) ? refusalText(answer) : String(answer.code);
  return [{ what: 'code', place, message: `${code} was expected, and the answer was ${was}` }];
}

function checkReason({ reason, place }: Expectation, { answer }: StepObservation): readonly Failure[] {
  const actual = asString(answer.body['reason']);
  if (reason === undefined || reason === actual) return [];
  const was = actual === '' ? 'the Status has none' : `it is ${actual}`;
  return [{ what: 'reason', place, message: `${reason} was expected, and ${was}` }];
}

function checkMessage({ message, place }: Expectation, { answer }: StepObservation): readonly Failure[] {
  const actual = asString(answer.body['message']);
  if (message === undefined || textMatches(message, actual)) return [];
  return [
    {
      what: 'message',
      place,
      message: `${expectedText(message)} was expected, and it is ${JSON.stringify(actual)}`,
      expected: expectedLine(message),
      actual,
    },
  ];
}

const fine: CheckResult = { failures: [], leftOut: [] };

/** A webhook that failed closed did not deny. Without a trace, the message names the webhook or policy. */
function checkDeniedBy(expect: Expectation, shown: StepObservation): CheckResult {
  const { deniedBy: name, place } = expect;
  if (name === undefined) return fine;
  if (shown.trace === undefined) return fromMessage(name, expect, shown);
  const { trace } = shown;
  const denying = trace.admission.filter(hasDenied);
  if (denying.some((decision) => isCalled(decision, name))) return fine;
  const decider = denying.map(nameOf).join(', ') || failing(trace) || 'nothing in admission';
  const about = `a denial by ${name} was expected, and the refusal came from ${decider}: ${refusalText(shown.answer)}`;
  return { failures: [{ what: 'deniedBy', place, message: `${about}${instead(name, trace, shown)}` }], leftOut: [] };
}

/** Failing closed refuses the request without denying it. */
const failing = (trace: Trace): string =>
  webhooksIn(trace)
    .filter(({ outcome }) => outcome === 'failed-closed')
    .map(({ name }) => `webhook ${name}, which failed closed`)
    .join(', ');

const nameOf = (decision: TracedDecision): string => `${decision.type} ${decision.name}`;

/** What the named webhook did instead, or a name that may be meant. */
function instead(name: string, trace: Trace, { known }: StepObservation): string {
  const webhook = webhooksIn(trace).find((one) => isCalled(one, name));
  if (webhook) return `; ${name} ${outcomeSentence(webhook, trace.request)}`;
  if (known.some((one) => one.name === name)) return `; ${name} was not considered before that`;
  const names = new Set([...trace.admission.map((one) => one.name), ...known.map((one) => one.name)]);
  return suggestion(name, [...names]);
}

/** Follows apiserver pkg/admission/plugin/webhook/errors/statuserror.go and plugin/policy/validating/dispatcher.go. */
const denials = [
  /admission webhook "(?<name>[^"]+)" denied the request/,
  /ValidatingAdmissionPolicy '(?<name>[^']+)' with binding '[^']*' denied request/,
];

function fromMessage(name: string, { place }: Expectation, { answer, known }: StepObservation): CheckResult {
  const message = asString(answer.body['message']);
  const found = denials.flatMap((pattern) => pattern.exec(message)?.groups?.['name'] ?? []);
  const plain = name.slice(name.indexOf('/') + 1);
  if (found.includes(plain)) return fine;
  if (found.length === 0 && !known.some((one) => one.name === plain)) {
    return {
      failures: [],
      leftOut: [`deniedBy: the server keeps no traces, and its message names no webhook or policy`],
    };
  }
  const decider = found.join(', ') || 'none of the webhooks';
  const text = `a denial by ${name} was expected, and the refusal came from ${decider}: ${refusalText(answer)}`;
  return { failures: [{ what: 'deniedBy', place, message: text }], leftOut: [] };
}

/** All warnings and errors must be expected; notes and findings of an object's history count only where named. Needs the trace. */
function checkFindings({ findings, place }: Expectation, { trace, earlier }: StepObservation): readonly Failure[] {
  if (findings === undefined || trace === undefined) return [];
  const named: ReadonlySet<string> = new Set(findings);
  const found = [
    ...findingsOf(maskTrace(trace)).filter(({ severity, rule }) => severity !== 'note' || named.has(rule)),
    ...historyFindings(writesOfSame(trace, earlier)).filter(({ rule }) => named.has(rule)),
  ];
  const rules = sorted(found.map(({ rule }) => rule));
  const wanted = sorted(findings);
  if (sameJson(rules, wanted)) return [];
  const message = [
    ...wanted
      .filter((rule) => !rules.some((one) => one === rule))
      .map((rule) => `${rule} was expected, and nothing of the kind was found`),
    ...found.filter(({ rule }) => !named.has(rule)).map(text),
  ];
  return [{ what: 'findings', place, message: message.join('; ') }];
}

/** All writes of the last write's object, oldest first. */
function writesOfSame(last: Trace, earlier: readonly Trace[]): readonly Trace[] {
  const wanted = keyOf(last);
  return [...earlier.filter((one) => keyOf(one) === wanted), last];
}

function keyOf(trace: Trace): string {
  const { resource, namespace, name } = summaryOf(trace);
  return [resource, namespace, name].join(' ');
}

const sorted = (names: readonly string[]): readonly string[] =>
  [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));

const text = ({ rule, title }: Pick<Finding, 'rule' | 'title'> | HistoryFinding): string =>
  `${rule} was not expected: ${title}`;
