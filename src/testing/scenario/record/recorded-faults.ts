import type { FailurePhase, Trace, TracedDecision, TracedWebhook } from '../../../explain/trace/trace.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import { type JsonObject, type JsonValue, asObject, asString, valueAt } from '../../../machinery/json/json.ts';
import { webhookWasCalled } from '../expect/decisions.ts';

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
    const callFaults = calls.map((call) => (isFailedCall(call) ? toFault(call) : noFault));
    const isMixed = callFaults.some((one) => !sameJson(one, callFaults[0]));
    const faults = isMixed ? unwrapSingle(callFaults.flatMap(faultAtCall)) : (callFaults[0] ?? noFault);
    if (current === undefined && !isMixed) initial = faults;
    // Calls count from the last change: a step with mixed outcomes needs one.
    else if (isMixed || !sameJson(faults, current ?? noFault)) changes.set(index, faults);
    current = faults;
  }
  return { initial: initial === undefined || sameJson(initial, noFault) ? undefined : initial, changes };
}

const noFault: JsonValue = [];

const unwrapSingle = (faults: readonly JsonValue[]): JsonValue =>
  faults.length === 1 ? (faults[0] ?? noFault) : faults;

function faultAtCall(fault: JsonValue, index: number): readonly JsonValue[] {
  if (sameJson(fault, noFault)) return [];
  const calls = [index + 1];
  if (typeof fault === 'string') return [{ [fault]: fault === 'dns' ? 'fail' : true, calls }];
  return [{ ...asObject(fault), calls }];
}

/** Faults that modify the stub's response instead of replacing it. */
export const corruptsAnswer = (call: TracedWebhook): boolean =>
  ['badPatch', 'wrongUid', 'wrongVersion'].some((fault) => sameJson(toFault(call), fault));

/** The fault reproduces the phase. */
export const isSamePhase = ({ failurePhase }: TracedWebhook): boolean =>
  failurePhase !== 'client' && failurePhase !== 'body';

const toFault = (call: TracedWebhook): JsonValue =>
  call.failurePhase === undefined ? 'refuse' : faultByPhase[call.failurePhase](call);

const faultByPhase: Readonly<Record<FailurePhase, (call: TracedWebhook) => JsonValue>> = {
  timeout: () => 'hang',
  resolve: () => 'dns',
  headers: () => 'reset',
  body: () => 'reset',
  patch: () => 'badPatch',
  tls: ({ failureCause }) => ({ tls: toTlsFault(failureCause) }),
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

function toTlsFault(cause: TracedWebhook['failureCause']): string {
  const because = cause?.because;
  if (because === 'expired' || because === 'not-yet-valid') return 'expired';
  if (because === 'old-protocol') return 'oldProtocol';
  return because === 'name-mismatch' ? 'wrongName' : 'unknownCA';
}

const statusFault = (code: number, body: string): JsonValue =>
  body === '' ? { status: code } : { status: { code, body } };

/** `configuration/name`. */
export const webhookKey = ({ configuration, name }: TracedWebhook): string => `${configuration}/${name}`;

/** Without the decisions of attempts that lost a race: they do not repeat. */
export function decisionsOf({ admission }: Pick<Trace, 'admission'>): readonly TracedDecision[] {
  const lost = new Set(admission.flatMap(({ again, attempt = 0 }) => (again === 'another-write' ? [attempt - 1] : [])));
  return admission.filter(({ attempt = 0 }) => !lost.has(attempt));
}

export const recordedWebhooks = (trace: Trace): readonly TracedWebhook[] =>
  decisionsOf(trace).filter((decision) => decision.type === 'webhook');

export const recordedCalls = (trace: Trace): readonly TracedWebhook[] =>
  recordedWebhooks(trace).filter(webhookWasCalled);

/** In the order of first appearance. */
export function groupByWebhook(webhooks: readonly TracedWebhook[]): ReadonlyMap<string, readonly TracedWebhook[]> {
  const groups = new Map<string, TracedWebhook[]>();
  for (const webhook of webhooks) {
    const group = groups.get(webhookKey(webhook)) ?? [];
    group.push(webhook);
    groups.set(webhookKey(webhook), group);
  }
  return groups;
}

export const isFailedCall = ({ outcome }: TracedWebhook): boolean =>
  outcome === 'failed-open' || outcome === 'failed-closed';

/** Its patch adds to existing annotations. */
export const addsAnnotation = (trace: Trace): boolean =>
  recordedWebhooks(trace).some(({ patch = [] }) =>
    patch.some(({ path }) => asString(path).startsWith('/metadata/annotations/')),
  );

/** `CREATE pods shop/web`, equal in both admission phases. The generated script has the same function. */
export function recordedSubject(review: JsonObject): string {
  const { operation, resource, subResource, namespace, name, object } = asObject(review['request']);
  const { group, resource: plural } = asObject(resource);
  const parts = [asString(plural), asString(group)].filter((part) => part !== '').join('.');
  const sub = asString(subResource);
  const stem = asString(valueAt(object ?? undefined, 'metadata', 'generateName'));
  const place = [asString(namespace), stem || asString(name)].filter((part) => part !== '').join('/');
  return [asString(operation), `${parts}${sub === '' ? '' : `/${sub}`}`, place].join(' ').trimEnd();
}
