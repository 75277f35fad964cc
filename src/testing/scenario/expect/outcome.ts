import { asString } from '../../../machinery/json/json.ts';
import type { Expectation, PolicyExpectation, WebhookExpectation } from '../format.ts';
import type { Failure } from '../outcome.ts';
import type { WorldAnswer } from '../world.ts';
import { isCalled, webhooksIn, outcomeSentence } from './decisions.ts';
import { isRefused, type StepObservation } from './step-observation.ts';

const refusing: ReadonlySet<WebhookExpectation['outcome'] | PolicyExpectation['outcome']> = new Set([
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
    expect.webhooks.some(({ outcome }) => refusing.has(outcome)) ||
    expect.policies.some(({ outcome }) => refusing.has(outcome))
  );
}

/** After a wrong outcome the rest of the response is not compared. */
export function checkOutcome(expect: Expectation, shown: StepObservation): readonly Failure[] {
  const { answer } = shown;
  const refusal = expectsRefusal(expect);
  if (refusal === isRefused(answer)) return [];
  const { place } = expect;
  if (!refusal) {
    const message = `the request was expected to be admitted, and was refused with ${refusalText(answer)}`;
    return [{ what: 'outcome', place, message }];
  }
  const what = expect.deniedBy === undefined ? 'outcome' : 'deniedBy';
  const by = expect.deniedBy === undefined ? '' : ` by ${expect.deniedBy}`;
  const why = whyNot(expect.deniedBy, shown);
  return [
    { what, place, message: `a refusal${by} was expected, and the request was admitted with ${answer.code}${why}` },
  ];
}

/** What the expected denier did instead. */
function whyNot(name: string | undefined, { trace }: StepObservation): string {
  if (name === undefined || trace === undefined) return '';
  const found = webhooksIn(trace).find((webhook) => isCalled(webhook, name));
  if (found) return `: ${name} ${outcomeSentence(found, trace.request)}`;
  const other = trace.admission.find((decision) => isCalled(decision, name));
  if (other?.type === 'policy') return `: policy ${name} allowed it`;
  if (other) return `: plugin ${name} allowed it`;
  return `: no webhook, policy or plugin ${name} was evaluated`;
}

/** `403 Forbidden: …` */
export function refusalText({ code, body }: WorldAnswer): string {
  const reason = asString(body['reason']);
  return `${code}${reason === '' ? '' : ` ${reason}`}: ${asString(body['message']) || 'no message'}`;
}
