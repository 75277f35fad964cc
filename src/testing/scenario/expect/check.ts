import type { Expectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import { checkAuditAnnotations, checkTexts } from './text.ts';
import { checkDeniedBy } from './denied-by.ts';
import { checkFindings } from './findings.ts';
import { checkExactly, checkExpectedObject } from './object.ts';
import { checkOrder } from './order.ts';
import { checkOutcome, expectsRefusal } from './outcome.ts';
import { checkPolicy } from './policy.ts';
import type { CheckResult, StepObservation } from './step-observation.ts';
import { checkStatus } from './status.ts';
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
