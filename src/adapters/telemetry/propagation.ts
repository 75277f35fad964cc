import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallWebhook } from '../../apiserver/admission/webhooks/call.ts';
import type { ApiRequest } from '../../apiserver/request/api-request.ts';
import type { Handle } from '../../apiserver/request/handle.ts';
import { spanIdOfReview, traceContextIn, traceContextOf, traceparentOf } from './trace-context.ts';
import type { TraceContext } from './trace-context.ts';

/** Passes a request's trace context to its webhooks. */
export interface Propagation {
  readonly aroundHandle: (handle: Handle) => Handle;
  readonly aroundCall: (call: CallWebhook) => CallWebhook;
}

/**
 * With `isRecording` every request has a trace and a webhook receives its own span; otherwise the client's header is
 * passed on unchanged. `share` of new traces are sampled. Follows component-base tracing/utils.go.
 */
export function createPropagation(isRecording: boolean, share = 1): Propagation {
  const current = new AsyncLocalStorage<TraceContext>();
  const contextFor = isRecording ? (request: ApiRequest) => traceContextOf(request, share) : traceContextIn;
  return {
    aroundHandle: (handle) => (request) => {
      const context = request.as ? undefined : contextFor(request);
      return context ? current.run(context, () => handle(request)) : handle(request);
    },
    aroundCall: (call) => (asked) => {
      const context = current.getStore();
      if (!context) return call(asked);
      const uid = isRecording && context.isSampled ? /"uid":"([^"]+)"/.exec(asked.body)?.[1] : undefined;
      const spanId = uid === undefined ? context.parentId : spanIdOfReview(uid);
      if (spanId === undefined) return call(asked);
      return call({ ...asked, headers: { ...asked.headers, ...headersOf(context, spanId) } });
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
