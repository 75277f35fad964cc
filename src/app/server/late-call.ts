import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';

/** Calls for those who are there before webhooks can be called; they wait until then. */
export interface LateCall {
  readonly call: CallWebhook;
  readonly follow: (call: CallWebhook) => void;
}

export function createLateCall(): LateCall {
  let follow: (call: CallWebhook) => void = () => {};
  const ready = new Promise<CallWebhook>((resolve) => {
    follow = resolve;
  });
  return { call: async (asked) => (await ready)(asked), follow };
}
