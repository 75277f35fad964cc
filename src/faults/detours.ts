import type { CallReply, CallWebhook, WebhookCall } from '../admission/webhooks/call.ts';

/** Where the connection for a call is opened instead of at the webhook's own address. */
export interface Detour {
  readonly host: string;
  readonly port: number;
  /** Without TLS. */
  readonly plain: boolean;
  /** Before the webhook's path. */
  readonly basePath: string;
}

/** Calls on their way to another address; the webhook client asks `detour` for it. */
export interface Detours {
  readonly detour: (call: WebhookCall) => Detour | undefined;
  readonly send: (client: CallWebhook, call: WebhookCall, detour: Detour) => Promise<CallReply>;
}

/** `createWebhookClient({ cluster, detour: detours.detour })`, then `detours.send(client.call, call, address)`. */
export function createDetours(): Detours {
  const under = new WeakMap<WebhookCall, Detour>();
  return {
    detour: (call) => under.get(call),
    send: (client, call, detour) => {
      const sent = { ...call };
      under.set(sent, detour);
      return client(sent);
    },
  };
}

/** The address in a webhook's `to`, such as `http://localhost:8080/base`; it was checked when the scenario was read. */
export function detourTo(to: string): Detour {
  const { protocol, hostname, port, pathname } = new URL(to);
  const plain = protocol === 'http:';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (plain ? 80 : 443),
    plain,
    basePath: pathname === '/' ? '' : pathname,
  };
}
