import { encodeBytes } from '../../src/machinery/go/base64-bytes.ts';
import { type ConversionReview, convertedReview } from './convert-stub.ts';
import type { StubAnswer } from './conversation.ts';

export interface Review extends ConversionReview {
  readonly request?: ConversionReview['request'] & {
    readonly object?: { readonly metadata?: { readonly labels?: Record<string, string> } };
  };
}

export interface Asked {
  readonly review: Review | undefined;
  /** How often this path was asked, this time included. */
  readonly turn: number;
}

export interface StubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a stub responds to a review with, unless it is late or silent. */
export function stubResponse(answer: StubAnswer, asked: Asked): StubResponse {
  const chosen = choose(answer, asked);
  const json = { 'content-type': 'application/json' };
  if (chosen.convert) {
    return { status: 200, headers: json, body: JSON.stringify(convertedReview(chosen.convert, asked.review ?? {})) };
  }
  if (!chosen.http) return { status: 200, headers: json, body: JSON.stringify(reviewAnswer(chosen, asked)) };
  const { status = 200, headers = json, body = '' } = chosen.http;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: text.replaceAll('$UID', asked.review?.request?.uid ?? '') };
}

/** The answer for this turn, or for an object with the label. */
export function choose(answer: StubAnswer, asked: Asked): StubAnswer {
  if (answer.sequence) {
    return choose(answer.sequence[Math.min(asked.turn, answer.sequence.length) - 1] ?? {}, asked);
  }
  if (answer.whenLabel === undefined) return answer;
  const labels = asked.review?.request?.object?.metadata?.labels ?? {};
  return choose((Object.hasOwn(labels, answer.whenLabel) ? answer.then : answer.else) ?? {}, asked);
}

function reviewAnswer(answer: StubAnswer, { review }: Asked): unknown {
  const response: Record<string, unknown> = { uid: review?.request?.uid, allowed: answer.allow !== false };
  if (answer.patch !== undefined) {
    response['patchType'] = 'JSONPatch';
    response['patch'] = encodeBytes(new TextEncoder().encode(JSON.stringify(answer.patch)));
  }
  for (const field of ['status', 'warnings', 'auditAnnotations', 'uid', 'patchType'] as const) {
    if (answer[field] !== undefined) response[field] = answer[field];
  }
  if (answer.rawPatch !== undefined) {
    response['patch'] = answer.rawPatch;
    response['patchType'] = answer.patchType ?? 'JSONPatch';
  }
  return {
    apiVersion: answer.apiVersion ?? review?.apiVersion,
    kind: answer.kind ?? 'AdmissionReview',
    response,
  };
}
