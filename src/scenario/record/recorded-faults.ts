import { sameJson } from '../../apimachinery/json-equal.ts';
import { asObject } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { FailurePhase, TracedWebhook } from '../../trace/trace.ts';
import { hasFailed } from './recorded-calls.ts';

/** What goes wrong with a webhook: from the beginning, and from certain steps on. */
export interface FaultPlan {
  /** `faults` of the webhook; undefined for none. */
  readonly initial: JsonValue | undefined;
  /** `faults` of a `configure` before the step with this index. */
  readonly changes: ReadonlyMap<number, JsonValue>;
}

/** The faults that make the calls of each step fail as they did. `steps` has the calls of one webhook, step by step. */
export function faultPlanOf(steps: readonly (readonly TracedWebhook[])[]): FaultPlan {
  const changes = new Map<number, JsonValue>();
  let initial: JsonValue | undefined;
  let current: JsonValue | undefined;
  for (const [index, calls] of steps.entries()) {
    if (calls.length === 0) continue;
    const wanted = calls.map((call) => (hasFailed(call) ? faultOf(call) : none));
    const isMixed = wanted.some((one) => !sameJson(one, wanted[0]));
    const faults = isMixed ? single(wanted.flatMap(atCall)) : (wanted[0] ?? none);
    if (current === undefined && !isMixed) initial = faults;
    // Calls are counted from the change on: a mixed step has one of its own.
    else if (isMixed || !sameJson(faults, current ?? none)) changes.set(index, faults);
    current = faults;
  }
  return { initial: initial === undefined || sameJson(initial, none) ? undefined : initial, changes };
}

const none: JsonValue = [];

const single = (faults: readonly JsonValue[]): JsonValue => (faults.length === 1 ? (faults[0] ?? none) : faults);

function atCall(fault: JsonValue, index: number): readonly JsonValue[] {
  if (sameJson(fault, none)) return [];
  const calls = [index + 1];
  if (typeof fault === 'string') return [{ [fault]: fault === 'dns' ? 'fail' : true, calls }];
  return [{ ...asObject(fault), calls }];
}

/** The faults that happen to the answer of a stub, and not instead of it. */
export const spoilsAnswer = (call: TracedWebhook): boolean =>
  ['badPatch', 'wrongUid', 'wrongVersion'].some((fault) => sameJson(faultOf(call), fault));

/** Does the fault fail in the very phase in which the call did? */
export const isSamePhase = ({ failurePhase }: TracedWebhook): boolean =>
  failurePhase !== 'client' && failurePhase !== 'body';

/** What makes a call of a stub fail like this one, as the scenario writes it. */
const faultOf = (call: TracedWebhook): JsonValue =>
  call.failurePhase === undefined ? 'refuse' : faultByPhase[call.failurePhase](call, call.error ?? '');

const faultByPhase: Readonly<Record<FailurePhase, (call: TracedWebhook, error: string) => JsonValue>> = {
  timeout: () => 'hang',
  resolve: () => 'dns',
  headers: () => 'reset',
  body: () => 'reset',
  patch: () => 'badPatch',
  tls: (_call, error) => ({ tls: tlsFaultOf(error) }),
  decode: (call, error) => statusFaultOf(error) ?? garbageOf(call),
  verify: (_call, error) => (error.includes('expected webhook response of') ? 'wrongVersion' : 'wrongUid'),
  connect: () => 'refuse',
  // A stub cannot fail in these, so it fails in the nearest way.
  client: () => 'refuse',
  canceled: () => 'refuse',
  'dry-run': () => 'refuse',
};

const garbageOf = ({ answer }: TracedWebhook): JsonValue =>
  typeof answer === 'string' && answer !== '' ? { garbage: answer } : 'garbage';

function tlsFaultOf(error: string): string {
  if (error.includes('expired or is not yet valid')) return 'expired';
  if (error.includes('protocol version')) return 'oldProtocol';
  return /is valid for|is not valid for any names|contain any IP SANs/.test(error) ? 'wrongName' : 'unknownCA';
}

/** Follows client-go's texts for codes, as admission/webhooks/response-error.ts has them. */
const codes: readonly (readonly [text: string, code: number])[] = [
  ['unable to handle the request', 503],
  ['could not find the requested resource', 404],
  ['too many requests', 429],
  ['within the time allotted', 504],
  ['in the time allotted', 504],
  ['asked for the client to provide credentials', 401],
  ['does not allow this method', 405],
  ['rejected our request for an unknown reason', 400],
];

function statusFaultOf(error: string): JsonValue | undefined {
  const known = codes.find(([text]) => error.includes(text));
  if (known) return { status: known[1] };
  const { code } = /responded with the status code (?<code>\d{3})/.exec(error)?.groups ?? {};
  if (code !== undefined) return { status: Number(code) };
  const { body } = /an error on the server \("(?<body>.*)"\) has prevented/s.exec(error)?.groups ?? {};
  if (body === undefined) return undefined;
  return body === '' || body.includes('\\') || body === 'unknown' ? { status: 500 } : { status: { code: 500, body } };
}
