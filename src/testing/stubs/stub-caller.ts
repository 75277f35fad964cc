import {
  type CallPhase,
  type CallReply,
  type CallWebhook,
  type ClientConfig,
  contextCanceledText,
  deadlineExceededText,
  type WebhookCall,
} from '../../apiserver/admission/webhooks/call.ts';
import type { Clock } from '../../machinery/clock.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { type UrlAddress, urlAddress } from '../../machinery/url-address.ts';
import { brokenCall, failedBody, failedCall, withoutAddress } from './fault-effects.ts';
import type { StubPlan } from './plan-response.ts';
import { realSleep } from './real-sleep.ts';
import { readReviewBody, replyTo, type StubReply } from './stub-reply.ts';
import type { StubRegistry, PlannedResponse, UnansweredCall } from './stub-registry.ts';

export interface StubCallerPorts {
  readonly stubRegistry: Pick<StubRegistry, 'receive' | 'find'> & Partial<Pick<StubRegistry, 'reportUnanswered'>>;
  /** Fault delays pass on this clock. */
  readonly clock: Clock;
  /** Stops a virtual clock while work waits for a real process. */
  readonly hold: <T>(work: Promise<T>) => Promise<T>;
  /** Calls the process at `to`. */
  readonly callProcess: (call: WebhookCall, to: string) => Promise<CallReply>;
  /** Calls without a stub. */
  readonly otherwise: CallWebhook;
}

/**
 * Answers without a socket, with the outcomes, texts and times of the webhook client over the wire. A webhook with `to` is called for real,
 * unless a fault prevents the call.
 */
export function createStubCaller(ports: StubCallerPorts): CallWebhook {
  const { stubRegistry, clock, hold, otherwise } = ports;
  return async (call) => {
    const review = readReviewBody(call.body);
    const { webhookName: webhook, configuration } = call;
    const response = review && stubRegistry.receive({ webhook, configuration, at: clock.now(), review });
    const deadline = clock.now() + call.timeoutMs;
    if (response) return withoutAddress(call) ?? executePlan(response, { call, review, ports, deadline });
    const reply = await hold(otherwise(call));
    // Real time ran out: the virtual clock follows.
    if (reply.outcome === 'failed' && reply.phase === 'timeout') await clock.sleep(deadline - clock.now(), call.signal);
    return reply;
  };
}

interface StubCall {
  readonly call: WebhookCall;
  readonly review: JsonObject;
  readonly ports: StubCallerPorts;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

async function executePlan(response: PlannedResponse, session: StubCall): Promise<CallReply> {
  const { plan } = response;
  const { call, ports } = session;
  const end = await sleepUntilEnd(plan.type === 'hang' ? Infinity : delayBefore(plan), session);
  if (end) return failedCall(call, ...end);
  switch (plan.type) {
    case 'hang':
      return failedCall(call, ...deadlineExceeded);
    case 'break':
      return brokenCall(call, plan.how, ports.clock.now());
    case 'respond':
      return toReply(plan);
    case 'answer':
      return respond(response, plan, session);
  }
}

const delayBefore = (plan: StubPlan): number => (plan.type === 'answer' ? plan.afterMs : 0);

/** How a call without a response ends. */
type End = readonly [phase: CallPhase, cause: string];

const deadlineExceeded: End = ['timeout', deadlineExceededText];
const canceled: End = ['canceled', contextCanceledText];

/** Sleeps; returns the end of the call if that is earlier. */
async function sleepUntilEnd(milliseconds: number, { call, ports, deadline }: StubCall): Promise<End | undefined> {
  const left = deadline - ports.clock.now();
  if (call.signal?.aborted) return canceled;
  if (milliseconds > 0 && left > 0) await ports.clock.sleep(Math.min(milliseconds, left), call.signal);
  if (call.signal?.aborted) return canceled;
  return milliseconds >= left ? deadlineExceeded : undefined;
}

async function respond(
  { spec }: PlannedResponse,
  plan: Extract<StubPlan, { type: 'answer' }>,
  session: StubCall,
): Promise<CallReply> {
  const { call, review, ports } = session;
  const { to } = spec;
  const work = async (signal: AbortSignal): Promise<CallReply> =>
    to === undefined || plan.corrupt
      ? toReply(await replyTo(spec, review, plan.corrupt))
      : ports.callProcess({ ...call, signal }, to);
  const reply = await ports.hold(inRealTime(work, session));
  if (reply.outcome === 'failed') {
    // Failed conversions always fail the request: only a failure in admission may pass unnoticed.
    const isOwnFailure = to !== undefined && call.phase !== undefined && plan.afterMs + plan.bodyAfterMs === 0;
    if (isOwnFailure && withoutResponse.has(reply.phase))
      report(ports, call, { to, error: reply.detail ?? reply.error });
    if (reply.phase === 'timeout') await sleepUntilEnd(Infinity, session);
    return reply;
  }
  const end = await sleepUntilEnd(plan.bodyAfterMs, session);
  return end ? failedBody(...end) : reply;
}

const withoutResponse: ReadonlySet<CallPhase> = new Set(['resolve', 'connect', 'tls', 'headers', 'timeout']);

function report(
  { stubRegistry }: StubCallerPorts,
  { webhookName: webhook, configuration }: WebhookCall,
  failure: Pick<UnansweredCall, 'to' | 'error'>,
): void {
  stubRegistry.reportUnanswered?.({ webhook, ...(configuration === undefined ? {} : { configuration }), ...failure });
}

/** A shared error: no stack trace per call. */
const callOverError = new Error('the call is over');

/** A script or process may take real time, at most what the call has left. */
async function inRealTime(
  work: (signal: AbortSignal) => Promise<CallReply>,
  { call, ports, deadline }: StubCall,
): Promise<CallReply> {
  const done = new AbortController();
  const signal = call.signal ? AbortSignal.any([done.signal, call.signal]) : done.signal;
  const over = async (): Promise<CallReply> => {
    await realSleep(deadline - ports.clock.now(), signal);
    return failedCall(call, ...(call.signal?.aborted ? canceled : deadlineExceeded));
  };
  try {
    return await Promise.race([work(signal), over()]);
  } finally {
    done.abort(callOverError);
  }
}

const toReply = ({ code, contentType, body }: StubReply): CallReply => ({
  outcome: 'answered',
  code,
  contentType,
  body: new TextEncoder().encode(body),
});

/** Routes calls to another address; the webhook client calls `dialOverride`. */
export interface StubDialing {
  readonly dialOverride: (call: WebhookCall) => UrlAddress | undefined;
  readonly send: (client: CallWebhook, call: WebhookCall, dialOverride: UrlAddress) => Promise<CallReply>;
  /** `to` of a webhook, which the reader has checked. */
  readonly sendTo: (client: CallWebhook, call: WebhookCall, to: string) => Promise<CallReply>;
}

/** `createWebhookClient({ cluster, dialOverride: dialOverrides.dialOverride })`, then `dialOverrides.send(client.call, call, address)`. */
export function createStubDialing(): StubDialing {
  // Of calls that are under way; a call has no field for it.
  const under = new WeakMap<WebhookCall, UrlAddress>();
  const send: StubDialing['send'] = (client, call, dialOverride) => {
    const sent = { ...call };
    under.set(sent, dialOverride);
    return client(sent);
  };
  return {
    dialOverride: (call) => under.get(call),
    send,
    sendTo: (client, call, to) => {
      const url = new URL(to);
      if (isBase(url)) return send(client, call, urlAddress(url));
      const clientConfig = withPath(call.clientConfig, url.pathname);
      return send(client, { ...call, clientConfig }, { ...urlAddress(url), basePath: '' });
    },
  };
}

/** A path that ends in `/` precedes that of the call; any other replaces it. */
const isBase = ({ pathname }: URL): boolean => pathname.endsWith('/');

/** `to` with the path of the call unless it has one of its own: `http://localhost:8080`, `http://localhost:8080/mutate`. */
export const urlOfTo = (to: string, path: string): string =>
  isBase(new URL(to)) ? `${to.replace(/\/$/, '')}${path}` : to;

function withPath({ url, service, ...rest }: ClientConfig, path: string): ClientConfig {
  if (service !== undefined) return { ...rest, service: { ...service, path } };
  return url === undefined ? rest : { ...rest, url: new URL(path, url).href };
}
