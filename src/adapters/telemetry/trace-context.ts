import { createHash } from 'node:crypto';
import type { ApiRequest } from '../../apiserver/request/api-request.ts';

/** Follows the W3C recommendation Trace Context. */
export interface TraceContext {
  /** 32 hex digits. */
  readonly traceId: string;
  /** The caller's span, 16 hex digits; undefined for a new trace. */
  readonly parentId: string | undefined;
  /** False: the caller does not want it recorded. */
  readonly isSampled: boolean;
  readonly traceState: string | undefined;
}

/** From a valid traceparent. */
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

/** A new trace is named after the Audit-Id, so that nothing must be stored. `share` of new traces are sampled. */
export const traceContextOf = (request: Pick<ApiRequest, 'headers' | 'auditId'>, share = 1): TraceContext =>
  traceContextIn(request) ?? {
    traceId: hexOf(request.auditId, 32),
    parentId: undefined,
    isSampled: share === 1 || chanceOf(request.auditId) < share,
    traceState: undefined,
  };

/** 0 to 1, deterministic. */
const chanceOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;

/** The span id of the HTTP request to a webhook, derived from the review's uid. */
export const spanIdOfReview = (uid: string): string => hexOf(uid, 32).slice(0, 16);

/** Hex digits of a UUID, or of a hash of other text. */
export function hexOf(text: string, digits: number): string {
  const bare = text.toLowerCase().replaceAll('-', '');
  return /^[\da-f]{32}$/.test(bare) && !/^0{16}/.test(bare)
    ? bare.slice(0, digits)
    : createHash('sha256').update(text).digest('hex').slice(0, digits);
}

export const traceparentOf = (traceId: string, spanId: string, isSampled: boolean): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
