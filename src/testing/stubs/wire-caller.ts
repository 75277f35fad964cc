import {
  type CallReply,
  callTarget,
  type CallTarget,
  type CallWebhook,
  type WebhookCall,
} from '../../apiserver/admission/webhooks/call.ts';
import { asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { targetAddress, brokenCall, type FailedCall, localAddress } from './fault-effects.ts';
import type { UrlAddress } from '../../machinery/url-address.ts';
import { createStubCaller, type StubCallerPorts } from './stub-caller.ts';
import { readReviewBody } from './stub-reply.ts';
import type { StubServer } from './stub-server.ts';
import type { PlannedResponse } from './stub-registry.ts';

export interface WireCallerPorts extends StubCallerPorts {
  readonly server: StubServer;
  /** Through the webhook client to another address: `createDetours().send`. */
  readonly sendTo: (call: WebhookCall, dialOverride: UrlAddress) => Promise<CallReply>;
}

/**
 * Answers through the webhook client and a TLS server in real time. URL, server name and trust are configured, except the stubs' caBundle.
 * Ports in texts are replaced, so that results equal those without sockets.
 */
export function createWireCaller(ports: WireCallerPorts): CallWebhook {
  const { stubRegistry, clock } = ports;
  const inProcess = createStubCaller(ports);
  return async (call) => {
    const { webhookName: webhook, configuration } = call;
    const spec = stubRegistry.find(webhook, configuration);
    const review = readReviewBody(call.body);
    const target = callTarget(call.clientConfig);
    if (!spec || spec.to !== undefined || !review || !target) return inProcess(call);
    const receipt = stubRegistry.receive({ webhook, configuration, at: clock.now(), review });
    if (!receipt) return ports.otherwise(call);
    const { plan } = receipt;
    // An unknown name never reaches a server.
    if (plan.type === 'break' && plan.how === 'dns') return brokenCall(call, 'dns', clock.now());
    return sendOverWire({ call, review, target, receipt }, ports);
  };
}

interface Route {
  readonly call: WebhookCall;
  readonly review: JsonObject;
  readonly target: CallTarget;
  readonly receipt: PlannedResponse;
}

async function sendOverWire({ call, review, target, receipt }: Route, ports: WireCallerPorts): Promise<CallReply> {
  const { server, sendTo } = ports;
  const uid = asString(valueAt(review, 'request', 'uid'));
  const [port, caBundle] = await Promise.all([server.portFor(receipt.plan, target.host), server.caBundle()]);
  server.expect(uid, receipt);
  try {
    const trusting = { ...call, clientConfig: { ...call.clientConfig, caBundle } };
    const reply = await sendTo(trusting, { host: server.host, port, plain: false, basePath: '' });
    return reply.outcome === 'failed' ? withFixedAddresses(reply, port, target) : reply;
  } finally {
    server.forget(uid);
  }
}

/** Both ends of a connection. */
const bothAddresses = /.:\d+->./;

/** Replaces an address with this port at the end of a word. */
function replaceAddress(word: string, port: number, known: string): string {
  const at = word.lastIndexOf(`:${port}`);
  const rest = word.slice(at + `:${port}`.length);
  return at < 1 || /^\w/.test(rest) ? word : `${known}${rest}`;
}

/** Replaces `127.0.0.1:40312->127.0.0.1:38211` and `127.0.0.1:38211` by fixed addresses. */
function withFixedAddresses(reply: FailedCall, port: number, target: CallTarget): FailedCall {
  const known = targetAddress(target);
  const replaceAddresses = (text: string): string =>
    text
      .replaceAll(/\S+/g, (word) =>
        bothAddresses.test(word) ? replaceAddress(word, port, `${localAddress}->${known}`) : word,
      )
      .replaceAll(/(?<=\bdial tcp )\S+/g, (word) => replaceAddress(word, port, known));
  const { error, detail, cause } = reply;
  return {
    ...reply,
    error: replaceAddresses(error),
    ...(detail !== undefined && { detail: replaceAddresses(detail) }),
    ...(cause && { cause: 'address' in cause ? { ...cause, address: known } : cause }),
  };
}
