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
import { hasDenied, hasDecisionName, outcomeSentence, webhooksIn, webhookWasCalled } from './decisions.ts';
import { checkExactly, checkExpectedObject } from './object.ts';
import { checkOutcome, expectsRefusal, refusalText } from './outcome.ts';
import { checkPolicy } from './policy.ts';
import { type CheckResult, isRefused, type StepObservation } from './step-observation.ts';
import { checkAuditAnnotations, checkTexts, expectedLine, expectedText, textMatches } from './text.ts';
import { checkWebhook } from './webhook.ts';

/** Pure; checkGolden compares the golden file. Expectations that need a trace are skipped without one, and reported. */
export function checkExpectation(expect: Expectation, observation: StepObservation): CheckResult {
  const outcomeFailures = checkOutcome(expect, observation);
  const deniedBy =
    outcomeFailures.length > 0 || !expectsRefusal(expect) ? noFailures : checkDeniedBy(expect, observation);
  const aboutAnswer =
    outcomeFailures.length > 0
      ? []
      : [
          ...checkStatus(expect, observation),
          ...checkExpectedObject(expect, observation),
          ...checkExactly(expect, observation),
        ];
  const warnings =
    expect.warnings &&
    checkTexts(expect.warnings, observation.answer.warnings, { what: 'warnings', place: expect.place });
  return {
    failures: [
      ...outcomeFailures,
      ...deniedBy.failures,
      ...aboutAnswer,
      ...expect.webhooks.flatMap((webhook, index) => checkWebhook(webhook, `webhooks[${index}]`, observation)),
      ...expect.policies.flatMap((policy) => checkPolicy(policy, observation)),
      ...checkOrder(expect, observation),
      ...checkFindings(expect, observation),
      ...(warnings ?? []),
      ...checkAuditAnnotations(expect, observation),
      ...checkElapsed(expect, observation),
    ],
    leftOut: [...deniedBy.leftOut, ...(observation.trace ? [] : expectationsNeedingTrace(expect))],
  };
}

const noFailures: CheckResult = { failures: [], leftOut: [] };

/** Expectations that need a trace. */
function expectationsNeedingTrace({
  webhooks,
  policies,
  order,
  findings,
  auditAnnotations,
}: Expectation): readonly string[] {
  const reason = 'there is no trace to look at';
  return [
    ...webhooks.map(() => `webhooks: ${reason}`),
    ...policies.map(({ name }) => `policies.${name}: ${reason}`),
    ...(order === undefined ? [] : [`order: ${reason}`]),
    ...(findings === undefined ? [] : [`findings: ${reason}`]),
    ...(Object.keys(auditAnnotations).length > 0 ? [`auditAnnotations: ${reason}`] : []),
  ];
}

/** Milliseconds: overhead of machines, and jitter of their timers. */
const maxOverheadMs = 1000;
const timerJitterMs = 20;

/** A real clock has a tolerance. */
function checkElapsed({ elapsedMs, place }: Expectation, { answer, clock }: StepObservation): readonly Failure[] {
  if (elapsedMs === undefined) return [];
  const { min, max } = elapsedMs;
  const took = answer.milliseconds;
  const [before, after] = clock === 'real' ? [timerJitterMs, Math.max(maxOverheadMs, max / 5)] : [0, 0];
  if (took >= min - before && took <= max + after) return [];
  return [
    { what: 'elapsed', place, message: `${formatRange(min, max)} was expected, and it took ${roundToTenths(took)} ms` },
  ];
}

function formatRange(min: number, max: number): string {
  if (min === max) return `${min} ms`;
  if (min === 0) return `at most ${max} ms`;
  return max === Number.POSITIVE_INFINITY ? `at least ${min} ms` : `${min} to ${max} ms`;
}

const roundToTenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/**
 * The called webhooks by round; one that was called twice is listed twice. Validating webhooks, called in parallel, are in configuration
 * order. Needs the trace.
 */
function checkOrder({ order, place }: Expectation, { trace }: StepObservation): readonly Failure[] {
  if (order === undefined || trace === undefined) return [];
  const called = webhooksIn(trace).filter(webhookWasCalled);
  const validating = called.filter(({ phase }) => phase === 'validating').toSorted((a, b) => a.index - b.index);
  const inOrder = [...called.filter(({ phase }) => phase === 'mutating'), ...validating];
  const names = inOrder.map((webhook) => expectedName(order, webhook, inOrder));
  if (sameJson(names, order)) return [];
  const message = `the calls were expected to be ${joinNames(order)}, and were ${joinNames(names)}`;
  return [{ what: 'order', place, message, expected: joinLines(order), actual: joinLines(names) }];
}

/** As the scenario names it, else with its configuration when the name is ambiguous. */
function expectedName(order: readonly string[], webhook: TracedWebhook, all: readonly TracedWebhook[]): string {
  const written = order.find((name) => hasDecisionName(webhook, name));
  if (written !== undefined) return written;
  const { name, configuration } = webhook;
  const isOnlyOne = all.every((other) => other.name !== name || other.configuration === configuration);
  return isOnlyOne ? name : `${configuration}/${name}`;
}

const joinNames = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

const joinLines = (names: readonly string[]): string => names.map((name) => `${name}\n`).join('');

const checkStatus = (expect: Expectation, observation: StepObservation): readonly Failure[] => [
  ...checkCode(expect, observation),
  ...checkReason(expect, observation),
  ...checkMessage(expect, observation),
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

/** A webhook that failed closed did not deny. Without a trace, the message names the webhook or policy. */
function checkDeniedBy(expect: Expectation, observation: StepObservation): CheckResult {
  const { deniedBy: name, place } = expect;
  if (name === undefined) return noFailures;
  if (observation.trace === undefined) return checkDeniedByMessage(name, expect, observation);
  const { trace } = observation;
  const denying = trace.admission.filter(hasDenied);
  if (denying.some((decision) => hasDecisionName(decision, name))) return noFailures;
  const decider = denying.map(decisionTitle).join(', ') || failedClosedWebhooks(trace) || 'nothing in admission';
  const about = `a denial by ${name} was expected, and the refusal came from ${decider}: ${refusalText(observation.answer)}`;
  return {
    failures: [{ what: 'deniedBy', place, message: `${about}${describeActual(name, trace, observation)}` }],
    leftOut: [],
  };
}

/** Failing closed refuses the request without denying it. */
const failedClosedWebhooks = (trace: Trace): string =>
  webhooksIn(trace)
    .filter(({ outcome }) => outcome === 'failed-closed')
    .map(({ name }) => `webhook ${name}, which failed closed`)
    .join(', ');

const decisionTitle = (decision: TracedDecision): string => `${decision.type} ${decision.name}`;

/** What the named webhook did instead, or a name that may be meant. */
function describeActual(name: string, trace: Trace, { known }: StepObservation): string {
  const webhook = webhooksIn(trace).find((one) => hasDecisionName(one, name));
  if (webhook) return `; ${name} ${outcomeSentence(webhook, trace.request)}`;
  if (known.some((one) => one.name === name)) return `; ${name} was not considered before that`;
  const names = new Set([...trace.admission.map((one) => one.name), ...known.map((one) => one.name)]);
  return suggestion(name, [...names]);
}

/** Follows apiserver pkg/admission/plugin/webhook/errors/statuserror.go and plugin/policy/validating/dispatcher.go. */
const denialMessages = [
  /admission webhook "(?<name>[^"]+)" denied the request/,
  /ValidatingAdmissionPolicy '(?<name>[^']+)' with binding '[^']*' denied request/,
];

function checkDeniedByMessage(name: string, { place }: Expectation, { answer, known }: StepObservation): CheckResult {
  const message = asString(answer.body['message']);
  const found = denialMessages.flatMap((pattern) => pattern.exec(message)?.groups?.['name'] ?? []);
  const plain = name.slice(name.indexOf('/') + 1);
  if (found.includes(plain)) return noFailures;
  if (found.length === 0 && !known.some((one) => one.name === plain)) {
    return {
      failures: [],
      leftOut: [`deniedBy: the server keeps no traces, and its message names no webhook or policy`],
    };
  }
  const decider = found.join(', ') || 'none of the webhooks';
  const unexpectedFinding = `a denial by ${name} was expected, and the refusal came from ${decider}: ${refusalText(answer)}`;
  return { failures: [{ what: 'deniedBy', place, message: unexpectedFinding }], leftOut: [] };
}

/** All warnings and errors must be expected; notes and findings of an object's history count only where named. Needs the trace. */
function checkFindings({ findings, place }: Expectation, { trace, earlier }: StepObservation): readonly Failure[] {
  if (findings === undefined || trace === undefined) return [];
  const named: ReadonlySet<string> = new Set(findings);
  const found = [
    ...findingsOf(maskTrace(trace)).filter(({ severity, rule }) => severity !== 'note' || named.has(rule)),
    ...historyFindings(writesOfSameObject(trace, earlier)).filter(({ rule }) => named.has(rule)),
  ];
  const rules = sortNames(found.map(({ rule }) => rule));
  const expected = sortNames(findings);
  if (sameJson(rules, expected)) return [];
  const message = [
    ...expected
      .filter((rule) => !rules.some((one) => one === rule))
      .map((rule) => `${rule} was expected, and nothing of the kind was found`),
    ...found.filter(({ rule }) => !named.has(rule)).map(unexpectedText),
  ];
  return [{ what: 'findings', place, message: message.join('; ') }];
}

/** All writes of the last write's object, oldest first. */
function writesOfSameObject(last: Trace, earlier: readonly Trace[]): readonly Trace[] {
  const identity = objectIdentity(last);
  return [...earlier.filter((trace) => objectIdentity(trace) === identity), last];
}

function objectIdentity(trace: Trace): string {
  const { resource, namespace, name } = summaryOf(trace);
  return [resource, namespace, name].join(' ');
}

const sortNames = (names: readonly string[]): readonly string[] =>
  [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));

const unexpectedText = ({ rule, title }: Pick<Finding, 'rule' | 'title'> | HistoryFinding): string =>
  `${rule} was not expected: ${title}`;
