import { callTarget } from '../../apiserver/admission/webhooks/call-target.ts';
import type { CallTarget } from '../../apiserver/admission/webhooks/call-target.ts';
import type { CallReply, CallWebhook, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';
import { asString, valueAt } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import { addressOf, brokenCall, localEnd } from './breakage.ts';
import type { FailedCall } from './breakage.ts';
import type { UrlAddress } from '../../machinery/url-address.ts';
import { createStubCaller } from './stub-caller.ts';
import type { StubCallerPorts } from './stub-caller.ts';
import { readReviewBody } from './stub-reply.ts';
import type { StubServer } from './stub-server.ts';
import type { Turn } from './switchboard.ts';

export interface WireCallerPorts extends StubCallerPorts {
  readonly server: StubServer;
  /** Sends a call through the real webhook client to another address: `createDetours().send`. */
  readonly sendTo: (call: WebhookCall, detour: UrlAddress) => Promise<CallReply>;
}

/**
 * Answers calls to stubs through the real webhook client and a real TLS server, in real time. URL, server name and trust
 * are as in the configuration, but for the caBundle, which is the stubs'. Ports, different each time, are shown as the
 * caller without sockets shows them, so that both say the same.
 */
export function createWireCaller(ports: WireCallerPorts): CallWebhook {
  const { switchboard, clock } = ports;
  const inProcess = createStubCaller(ports);
  return async (call) => {
    const { webhookName: webhook, configuration } = call;
    const spec = switchboard.find(webhook, configuration);
    const review = readReviewBody(call.body);
    const target = callTarget(call.clientConfig);
    if (!spec || spec.to !== undefined || !review || !target) return inProcess(call);
    const turn = switchboard.receive({ webhook, configuration, at: clock.now(), review });
    if (!turn) return ports.otherwise(call);
    const { plan } = turn;
    // A name that nobody knows never comes to a server.
    if (plan.type === 'break' && plan.how === 'dns') return brokenCall(call, 'dns', clock.now());
    return overTheWire({ call, review, target, turn }, ports);
  };
}

interface Journey {
  readonly call: WebhookCall;
  readonly review: JsonObject;
  readonly target: CallTarget;
  readonly turn: Turn;
}

async function overTheWire({ call, review, target, turn }: Journey, ports: WireCallerPorts): Promise<CallReply> {
  const { server, sendTo } = ports;
  const uid = asString(valueAt(review, 'request', 'uid'));
  const [port, caBundle] = await Promise.all([server.portFor(turn.plan, target.host), server.caBundle()]);
  server.expect(uid, turn);
  try {
    const trusting = { ...call, clientConfig: { ...call.clientConfig, caBundle } };
    const reply = await sendTo(trusting, { host: server.host, port, plain: false, basePath: '' });
    return reply.outcome === 'failed' ? withKnownEnds(reply, port, target) : reply;
  } finally {
    server.forget(uid);
  }
}

/** Both ends of a connection. */
const isBetween = /.:\d+->./;

/** A word that ends with this port, or goes on behind it, with another text up to there. */
function withEnd(word: string, port: number, known: string): string {
  const at = word.lastIndexOf(`:${port}`);
  const rest = word.slice(at + `:${port}`.length);
  return at < 1 || /^\w/.test(rest) ? word : `${known}${rest}`;
}

/** `127.0.0.1:40312->127.0.0.1:38211` and `127.0.0.1:38211` with the ends that are the same in each run. */
function withKnownEnds(reply: FailedCall, port: number, target: CallTarget): FailedCall {
  const known = addressOf(target);
  const shown = (text: string): string =>
    text
      .replaceAll(/\S+/g, (word) => (isBetween.test(word) ? withEnd(word, port, `${localEnd}->${known}`) : word))
      .replaceAll(/(?<=\bdial tcp )\S+/g, (word) => withEnd(word, port, known));
  const { error, detail, cause } = reply;
  return {
    ...reply,
    error: shown(error),
    ...(detail !== undefined && { detail: shown(detail) }),
    ...(cause && { cause: 'address' in cause ? { ...cause, address: known } : cause }),
  };
}
