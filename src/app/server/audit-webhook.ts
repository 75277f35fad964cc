import type { Backend } from '../../apiserver/admission/configuration/backend.ts';
import type { CallReply, CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import { errorOfAnswer, isSuccess } from '../../apiserver/admission/webhooks/response-error.ts';
import type { Clock } from '../../machinery/clock.ts';

export interface AuditBackend {
  readonly backend: Backend;
  /** Until a failed call is made again; half as long again each time. */
  readonly backoffMs: number;
}

const timeoutMs = 30_000;
const attempts = 5;
const backoffFactor = 1.5;

/** Sends lines of events as an EventList; why it could not, if so. Follows apiserver plugin/pkg/audit/webhook/webhook.go. */
export async function sendAuditEvents(
  lines: readonly string[],
  { backend: { url, caBundle, insecure, user }, backoffMs }: AuditBackend,
  { callWebhook, sleep }: { readonly callWebhook: CallWebhook; readonly sleep: Clock['sleep'] },
): Promise<string | undefined> {
  const body = `{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[${lines.join(',')}]}\n`;
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
    const reply = await callWebhook({
      webhookName: 'audit-webhook',
      clientConfig: { url, caBundle },
      caller: { user, insecure },
      headers: { 'user-agent': 'Go-http-client/1.1' },
      body,
      timeoutMs,
    });
    const error = faultOf(reply);
    if (error === undefined || attempt === attempts) return error;
    // oxlint-disable-next-line no-await-in-loop -- as above
    await sleep(backoffMs * backoffFactor ** (attempt - 1));
  }
}

function faultOf(reply: CallReply): string | undefined {
  if (reply.outcome === 'failed') return reply.error;
  const { code, contentType } = reply;
  return isSuccess(code) ? undefined : errorOfAnswer({ code, contentType, body: new TextDecoder().decode(reply.body) });
}
