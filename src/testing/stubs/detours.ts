import { urlAddress } from '../../machinery/url-address.ts';
import type { UrlAddress } from '../../machinery/url-address.ts';
import type { CallReply, CallWebhook, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';

/** Calls on their way to another address; the webhook client asks `detour` for it. */
export interface Detours {
  readonly detour: (call: WebhookCall) => UrlAddress | undefined;
  readonly send: (client: CallWebhook, call: WebhookCall, detour: UrlAddress) => Promise<CallReply>;
}

/** `createWebhookClient({ cluster, detour: detours.detour })`, then `detours.send(client.call, call, address)`. */
export function createDetours(): Detours {
  const under = new WeakMap<WebhookCall, UrlAddress>();
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
export const detourTo = (to: string): UrlAddress => urlAddress(new URL(to));
