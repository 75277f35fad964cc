import type { Random } from '../../machinery/clock.ts';
import type { Delay, Fault, FaultKind } from './webhook-spec.ts';

/** What happens to a call; pure data, for stubs in process and on the wire. */
export type StubPlan =
  /** Milliseconds before the response, and before its body. */
  | {
      readonly type: 'answer';
      readonly afterMs: number;
      readonly bodyAfterMs: number;
      readonly corrupt: Corrupt | undefined;
    }
  /** A fixed response. */
  | { readonly type: 'respond'; readonly code: number; readonly contentType: string; readonly body: string }
  | { readonly type: 'hang' }
  | { readonly type: 'break'; readonly how: ConnectionFault };

/** Faults of a well-formed AdmissionReview. */
export type Corrupt = 'wrong-uid' | 'wrong-version' | 'bad-patch';

/** Faults that prevent the request or the response. */
export type ConnectionFault = 'refuse' | 'reset' | 'dns' | CertificateFlaw | 'tls-old-protocol';

export type CertificateFlaw = 'tls-expired' | 'tls-wrong-name' | 'tls-unknown-ca';

export interface PlannedCall {
  /** Counts from 1 since the faults were last configured. */
  readonly number: number;
  /** '' for a cluster-scoped request. */
  readonly namespace: string;
  /** Random numbers for the n-th fault; equal for the same call of the same scenario. */
  readonly random: (fault: number) => Random;
}

/** The first due fault, else an immediate response. */
export function planResponse(faults: readonly Fault[], call: PlannedCall): StubPlan {
  for (const [index, fault] of faults.entries()) {
    const random = call.random(index);
    if (isDue(fault, call, random)) return planFault(fault.what, random);
  }
  return immediate;
}

function isDue({ calls, namespaces, probability }: Fault, { number, namespace }: PlannedCall, random: Random): boolean {
  if (calls && !calls.includes(number)) return false;
  if (namespaces && !namespaces.includes(namespace)) return false;
  return probability === undefined || random() < probability;
}

const immediate: Extract<StubPlan, { type: 'answer' }> = {
  type: 'answer',
  afterMs: 0,
  bodyAfterMs: 0,
  corrupt: undefined,
};

export function planFault(what: FaultKind, random: Random): StubPlan {
  if (isConnectionFault(what)) return { type: 'break', how: what.type };
  switch (what.type) {
    case 'delay':
      return { ...immediate, afterMs: drawDelay(what.delay, random) };
    case 'slow-body':
      return { ...immediate, bodyAfterMs: drawDelay(what.delay, random) };
    case 'hang':
      return { type: 'hang' };
    case 'status':
      return statusPlan(what.code, what.body);
    case 'garbage':
      return garbagePlan(what);
    case 'wrong-uid':
    case 'wrong-version':
    case 'bad-patch':
      return { ...immediate, corrupt: what.type };
  }
}

const connectionFaults: Readonly<Record<ConnectionFault, true>> = {
  refuse: true,
  reset: true,
  dns: true,
  'tls-expired': true,
  'tls-wrong-name': true,
  'tls-unknown-ca': true,
  'tls-old-protocol': true,
};

const isConnectionFault = (what: FaultKind): what is Extract<FaultKind, { readonly type: ConnectionFault }> =>
  Object.hasOwn(connectionFaults, what.type);

const garbagePlan = ({ body, contentType }: Extract<FaultKind, { type: 'garbage' }>): StubPlan => ({
  type: 'respond',
  code: 200,
  contentType: contentType ?? 'text/html',
  body: body ?? defaultPage,
});

/** The default page of many web servers. */
const defaultPage = '<html><body><h1>It works!</h1></body></html>\n';

function statusPlan(code: number, given: string | undefined): StubPlan {
  // HTTP allows no body.
  const body = code === 204 || code === 304 ? '' : (given ?? '');
  const contentType = body.startsWith('{') ? 'application/json' : 'text/plain; charset=utf-8';
  return { type: 'respond', code, contentType, body };
}

/** Whole milliseconds, so that two runs print the same. */
export function drawDelay(delay: Delay, random: Random): number {
  switch (delay.type) {
    case 'fixed':
      return delay.milliseconds;
    case 'uniform':
      return Math.round(delay.from + (delay.to - delay.from) * random());
    case 'lognormal':
      return Math.round(delay.median * Math.exp(delay.sigma * drawNormal(random)));
  }
}

/** Box-Muller. */
const drawNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
