import { asString } from '../../../machinery/json/json.ts';
import type { Trace, TracedDecision } from '../../../explain/trace/trace.ts';
import type { Expectation } from '../format.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import { hasDenied, isCalled, webhooksIn, outcomeSentence } from './decisions.ts';
import { refusalText } from './outcome.ts';
import type { CheckResult, StepObservation } from './step-observation.ts';

const fine: CheckResult = { failures: [], leftOut: [] };

/** A webhook that failed closed did not deny. Without a trace, the message names the webhook or policy. */
export function checkDeniedBy(expect: Expectation, shown: StepObservation): CheckResult {
  const { deniedBy: name, place } = expect;
  if (name === undefined) return fine;
  if (shown.trace === undefined) return fromMessage(name, expect, shown);
  const { trace } = shown;
  const denying = trace.admission.filter(hasDenied);
  if (denying.some((decision) => isCalled(decision, name))) return fine;
  const who = denying.map(nameOf).join(', ') || failing(trace) || 'nothing in admission';
  const about = `a denial by ${name} was expected, and the refusal came from ${who}: ${refusalText(shown.answer)}`;
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
    return { failures: [], leftOut: [`deniedBy: the server keeps no traces, and its message does not tell`] };
  }
  const who = found.join(', ') || 'none of the webhooks';
  const text = `a denial by ${name} was expected, and the refusal came from ${who}: ${refusalText(answer)}`;
  return { failures: [{ what: 'deniedBy', place, message: text }], leftOut: [] };
}
