import { sameJson } from '../../../machinery/json/json-equal.ts';
import { asObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { FailurePhase, TracedWebhook } from '../../../explain/trace/trace.ts';
import { isFailedCall } from './recorded-calls.ts';

/** Initial faults, and changes before steps. */
export interface FaultPlan {
  /** `faults` of the webhook. */
  readonly initial: JsonValue | undefined;
  /** `faults` of a `configure`, by the index of the step after it. */
  readonly changes: ReadonlyMap<number, JsonValue>;
}

/** Makes the calls of each step fail as recorded. `steps` has the calls of one webhook per step. */
export function faultPlanOf(steps: readonly (readonly TracedWebhook[])[]): FaultPlan {
  const changes = new Map<number, JsonValue>();
  let initial: JsonValue | undefined;
  let current: JsonValue | undefined;
  for (const [index, calls] of steps.entries()) {
    if (calls.length === 0) continue;
    const wanted = calls.map((call) => (isFailedCall(call) ? faultOf(call) : none));
    const isMixed = wanted.some((one) => !sameJson(one, wanted[0]));
    const faults = isMixed ? single(wanted.flatMap(atCall)) : (wanted[0] ?? none);
    if (current === undefined && !isMixed) initial = faults;
    // Calls count from the last change: a step with mixed outcomes needs one.
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

/** Faults that modify the stub's response instead of replacing it. */
export const spoilsAnswer = (call: TracedWebhook): boolean =>
  ['badPatch', 'wrongUid', 'wrongVersion'].some((fault) => sameJson(faultOf(call), fault));

/** The fault reproduces the phase. */
export const isSamePhase = ({ failurePhase }: TracedWebhook): boolean =>
  failurePhase !== 'client' && failurePhase !== 'body';

const faultOf = (call: TracedWebhook): JsonValue =>
  call.failurePhase === undefined ? 'refuse' : faultByPhase[call.failurePhase](call);

const faultByPhase: Readonly<Record<FailurePhase, (call: TracedWebhook) => JsonValue>> = {
  timeout: () => 'hang',
  resolve: () => 'dns',
  headers: () => 'reset',
  body: () => 'reset',
  patch: () => 'badPatch',
  tls: ({ failureCause }) => ({ tls: tlsFaultOf(failureCause) }),
  decode: ({ failureCause, answer }) => {
    const body = typeof answer === 'string' ? answer : '';
    if (failureCause?.because === 'http-status') return statusFault(failureCause.code, body);
    return body === '' ? 'garbage' : { garbage: body };
  },
  verify: ({ failureCause }) => (failureCause?.because === 'not-a-review' ? 'wrongVersion' : 'wrongUid'),
  connect: () => 'refuse',
  // A stub cannot fail in these phases: the nearest fault.
  client: () => 'refuse',
  canceled: () => 'refuse',
  'dry-run': () => 'refuse',
};

function tlsFaultOf(cause: TracedWebhook['failureCause']): string {
  const because = cause?.because;
  if (because === 'expired' || because === 'not-yet-valid') return 'expired';
  if (because === 'old-protocol') return 'oldProtocol';
  return because === 'name-mismatch' ? 'wrongName' : 'unknownCA';
}

const statusFault = (code: number, body: string): JsonValue =>
  body === '' ? { status: code } : { status: { code, body } };
