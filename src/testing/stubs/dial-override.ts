import { urlAddress, type UrlAddress } from '../../machinery/url-address.ts';
import type { CallReply, CallWebhook, WebhookCall } from '../../apiserver/admission/webhooks/call.ts';

/** Routes calls to another address; the webhook client calls `detour`. */
export interface StubDialing {
  readonly detour: (call: WebhookCall) => UrlAddress | undefined;
  readonly send: (client: CallWebhook, call: WebhookCall, detour: UrlAddress) => Promise<CallReply>;
}

/** `createWebhookClient({ cluster, detour: detours.detour })`, then `detours.send(client.call, call, address)`. */
export function createStubDialing(): StubDialing {
  // Of calls that are under way; a call has no field for it.
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

/** `to` of a webhook, such as `http://localhost:8080/base`, which the reader has checked. */
export const addressOfTo = (to: string): UrlAddress => urlAddress(new URL(to));
