import type { Random } from '../../machinery/clock.ts';
import type { Delay, Fault, FaultKind } from './webhook-spec.ts';

/** What becomes of one call: pure data, carried out in process or by servers with the same outcome. */
export type Plan =
  /** The stub answers: after a wait, the body after another one; both in milliseconds. */
  | {
      readonly type: 'answer';
      readonly afterMs: number;
      readonly bodyAfterMs: number;
      readonly spoil: Spoil | undefined;
    }
  /** This answer, whatever the review says. */
  | { readonly type: 'respond'; readonly code: number; readonly contentType: string; readonly body: string }
  | { readonly type: 'hang' }
  | { readonly type: 'break'; readonly how: Break };

/** What is wrong with an answer that is an AdmissionReview all the same. */
export type Spoil = 'wrong-uid' | 'wrong-version' | 'bad-patch';

/** Why no request arrives, or no answer. */
export type Break = 'refuse' | 'reset' | 'dns' | CertificateFlaw | 'tls-old-protocol';

export type CertificateFlaw = 'tls-expired' | 'tls-wrong-name' | 'tls-unknown-ca';

/** What a fault may look at before it happens. */
export interface PlannedCall {
  /** Of the webhook's calls since its faults were last configured, from 1. */
  readonly number: number;
  /** '' for a request without one. */
  readonly namespace: string;
  /** Chance for the n-th of the faults; the same for the same call of the same scenario. */
  readonly random: (fault: number) => Random;
}

/** What becomes of a call: the first fault that is due happens, else the stub answers at once. */
export function planFor(faults: readonly Fault[], call: PlannedCall): Plan {
  for (const [index, fault] of faults.entries()) {
    const random = call.random(index);
    if (isDue(fault, call, random)) return planOf(fault.what, random);
  }
  return immediate;
}

function isDue({ calls, namespaces, probability }: Fault, { number, namespace }: PlannedCall, random: Random): boolean {
  if (calls && !calls.includes(number)) return false;
  if (namespaces && !namespaces.includes(namespace)) return false;
  return probability === undefined || random() < probability;
}

const immediate: Extract<Plan, { type: 'answer' }> = { type: 'answer', afterMs: 0, bodyAfterMs: 0, spoil: undefined };

/** What a fault that is due makes of a call. */
export function planOf(what: FaultKind, random: Random): Plan {
  if (isBreak(what)) return { type: 'break', how: what.type };
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
      return { ...immediate, spoil: what.type };
  }
}

const breaks: Readonly<Record<Break, true>> = {
  refuse: true,
  reset: true,
  dns: true,
  'tls-expired': true,
  'tls-wrong-name': true,
  'tls-unknown-ca': true,
  'tls-old-protocol': true,
};

const isBreak = (what: FaultKind): what is Extract<FaultKind, { readonly type: Break }> =>
  Object.hasOwn(breaks, what.type);

const garbagePlan = ({ body, contentType }: Extract<FaultKind, { type: 'garbage' }>): Plan => ({
  type: 'respond',
  code: 200,
  contentType: contentType ?? 'text/html',
  body: body ?? welcome,
});

/** What many a wrong backend answers. */
const welcome = '<html><body><h1>It works!</h1></body></html>\n';

function statusPlan(code: number, given: string | undefined): Plan {
  // HTTP has no body with these.
  const body = code === 204 || code === 304 ? '' : (given ?? '');
  const contentType = body.startsWith('{') ? 'application/json' : 'text/plain; charset=utf-8';
  return { type: 'respond', code, contentType, body };
}

/** Milliseconds, whole ones, so that two runs print the same. */
export function drawDelay(delay: Delay, random: Random): number {
  switch (delay.type) {
    case 'fixed':
      return delay.milliseconds;
    case 'uniform':
      return Math.round(delay.from + (delay.to - delay.from) * random());
    case 'lognormal':
      return Math.round(delay.median * Math.exp(delay.sigma * normal(random)));
  }
}

/** A draw of the standard normal distribution, after Box and Muller. */
const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
