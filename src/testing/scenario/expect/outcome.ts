import { asString } from '../../../machinery/json/json.ts';
import type { Expectation, PolicyExpectation, WebhookExpectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import type { WorldAnswer } from '../world.ts';
import { hasDecisionName, webhooksIn, outcomeSentence } from './decisions.ts';
import { isRefused, type StepObservation } from './step-observation.ts';

const refusingOutcomes: ReadonlySet<WebhookExpectation['outcome'] | PolicyExpectation['outcome']> = new Set([
  'denied',
  'failed-closed',
  'refused',
]);

/**
 * By `outcome`, or by expectations that only a refusal meets: deniedBy, a code from 400, a reason, a message, a refusing webhook or policy.
 */
export function expectsRefusal(expect: Expectation): boolean {
  if (expect.outcome !== undefined) return expect.outcome === 'refused';
  if (expect.code !== undefined) return expect.code >= 400;
  if (expect.deniedBy !== undefined || expect.reason !== undefined || expect.message !== undefined) return true;
  return (
    expect.webhooks.some(({ outcome }) => refusingOutcomes.has(outcome)) ||
    expect.policies.some(({ outcome }) => refusingOutcomes.has(outcome))
  );
}

/** After a wrong outcome the rest of the response is not compared. */
export function checkOutcome(expect: Expectation, observation: StepObservation): readonly Failure[] {
  const { answer } = observation;
  const refusal = expectsRefusal(expect);
  if (refusal === isRefused(answer)) return [];
  const { place } = expect;
  if (!refusal) {
    const message = `the request was expected to be admitted, and was refused with ${refusalText(answer)}`;
    return [{ what: 'outcome', place, message }];
  }
  const what = expect.deniedBy === undefined ? 'outcome' : 'deniedBy';
  const by = expect.deniedBy === undefined ? '' : ` by ${expect.deniedBy}`;
  const why = describeExpectedDenier(expect.deniedBy, observation);
  return [
    { what, place, message: `a refusal${by} was expected, and the request was admitted with ${answer.code}${why}` },
  ];
}

/** What the expected denier did instead. */
function describeExpectedDenier(name: string | undefined, { trace }: StepObservation): string {
  if (name === undefined || trace === undefined) return '';
  const found = webhooksIn(trace).find((webhook) => hasDecisionName(webhook, name));
  if (found) return `: ${name} ${outcomeSentence(found, trace.request)}`;
  const other = trace.admission.find((decision) => hasDecisionName(decision, name));
  if (other?.type === 'policy') return `: policy ${name} allowed it`;
  if (other) return `: plugin ${name} allowed it`;
  return `: no webhook, policy or plugin ${name} was evaluated`;
}

/** `403 Forbidden: …` */
export function refusalText({ code, body }: WorldAnswer): string {
  const reason = asString(body['reason']);
  return `${code}${reason === '' ? '' : ` ${reason}`}: ${asString(body['message']) || 'no message'}`;
}
