import { createHash } from 'node:crypto';
import type { ApiRequest } from '../../apiserver/request/api-request.ts';

/** To which trace a request belongs. Follows the W3C recommendation Trace Context. */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** The span of the caller, 16 hex digits; undefined when the trace begins here. */
  readonly parentId: string | undefined;
  /** false: the caller does not want it recorded. */
  readonly isSampled: boolean;
  readonly traceState: string | undefined;
}

/** What the client's traceparent says; undefined without a usable one. */
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

/**
 * The trace of a request; its Audit-Id names one that begins here, so that nothing has to be remembered of it. `share` of these are
 * recorded.
 */
export const traceContextOf = (request: Pick<ApiRequest, 'headers' | 'auditId'>, share = 1): TraceContext =>
  traceContextIn(request) ?? {
    traceId: hexOf(request.auditId, 32),
    parentId: undefined,
    isSampled: share === 1 || chanceOf(request.auditId) < share,
    traceState: undefined,
  };

/** From 0 to 1, the same for the same text. */
const chanceOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

/** The span of the HTTP request to a webhook, from the uid of its review: both sides know it without being told. */
export const spanIdOfReview = (uid: string): string => hexOf(uid, 32).slice(0, 16);

/** Hex digits of a UUID, or of a hash of any other text. */
export function hexOf(text: string, digits: number): string {
  const bare = text.toLowerCase().replaceAll('-', '');
  return /^[\da-f]{32}$/.test(bare) && !/^0{16}/.test(bare)
    ? bare.slice(0, digits)
    : createHash('sha256').update(text).digest('hex').slice(0, digits);
}

export const traceparentOf = (traceId: string, spanId: string, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
