import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import type { Handle } from '../../apiserver/request/handle.ts';

/** Passes a request's trace context to its webhooks. */
export interface Propagation {
  readonly aroundHandle: (handle: Handle) => Handle;
  readonly aroundCall: (call: CallWebhook) => CallWebhook;
}

/**
 * With `isRecording` every request has a trace and a webhook receives its own span; otherwise the client's header is
 * passed on unchanged. Follows component-base tracing/utils.go.
 */
export function createPropagation(isRecording: boolean): Propagation {
  const current = new AsyncLocalStorage<TraceContext>();
  const contextFor = isRecording ? traceContextOf : traceContextIn;
  return {
    aroundHandle: (handle) => (request) => {
      const context = request.as ? undefined : contextFor(request);
      return context ? current.run(context, () => handle(request)) : handle(request);
    },
    aroundCall: (call) => (webhookCall) => {
      const context = current.getStore();
      if (!context) return call(webhookCall);
      const uid = isRecording && context.isSampled ? /"uid":"([^"]+)"/.exec(webhookCall.body)?.[1] : undefined;
      const spanId = uid === undefined ? context.parentId : spanIdOfReview(uid);
      if (spanId === undefined) return call(webhookCall);
      return call({ ...webhookCall, headers: { ...webhookCall.headers, ...headersOf(context, spanId) } });
    },
  };
}

const headersOf = (
  { traceId, isSampled, traceState }: TraceContext,
  spanId: string,
): Readonly<Record<string, string>> => ({
  traceparent: traceparentOf(traceId, spanId, isSampled),
  ...(traceState === undefined ? {} : { tracestate: traceState }),
});

/** Follows the W3C recommendation Trace Context. */
interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** The caller's span, 16 hex digits; undefined for a new trace. */
  readonly parentId: string | undefined;
  /** False: the caller does not want it recorded. */
  readonly isSampled: boolean;
  readonly traceState: string | undefined;
}

export function traceContextIn({ headers }: Pick<ApiRequest, 'headers'>): TraceContext | undefined {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== 'string') return undefined;
  const read =
    /^(?!ff)[\da-f]{2}-(?!0{32})(?<trace>[\da-f]{32})-(?!0{16})(?<parent>[\da-f]{16})-(?<flags>[\da-f]{2})/.exec(
      traceparent.trim(),
    );
  const { trace = '', parent, flags = '0' } = read?.groups ?? {};
  if (!read || (traceparent.startsWith('00') && traceparent.trim().length !== 55)) return undefined;
  return {
    traceId: trace,
    parentId: parent,
    isSampled: Number.parseInt(flags, 16) % 2 === 1,
    traceState: typeof tracestate === 'string' ? tracestate : undefined,
  };
}

/** A new trace is named after the Audit-Id, so that nothing must be stored. */
export const traceContextOf = (request: Pick<ApiRequest, 'headers' | 'auditId'>): TraceContext =>
  traceContextIn(request) ?? {
    traceId: hexOf(request.auditId, 32),
    parentId: undefined,
    isSampled: true,
    traceState: undefined,
  };

/** The span id of the HTTP request to a webhook, derived from the review's uid. */
export const spanIdOfReview = (uid: string): string => hexOf(uid, 32).slice(0, 16);

/** Hex digits of a UUID, or of a hash of other text. */
export function hexOf(text: string, digits: number): string {
  const bare = text.toLowerCase().replaceAll('-', '');
  return /^[\da-f]{32}$/.test(bare) && !/^0{16}/.test(bare)
    ? bare.slice(0, digits)
    : createHash('sha256').update(text).digest('hex').slice(0, digits);
}

const traceparentOf = (traceId: string, spanId: string, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
