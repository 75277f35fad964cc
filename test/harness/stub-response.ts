import { encodeBytes } from '../../src/machinery/go/base64-bytes.ts';
import type { StubAnswer } from './conversation.ts';

export interface Review extends ConversionReview {
  readonly request?: ConversionReview['request'] & {
    readonly object?: { readonly metadata?: { readonly labels?: Record<string, string> } };
  };
}

export interface StubInput {
  readonly review: Review | undefined;
  /** Number of calls of this path, including this one. */
  readonly round: number;
}

export interface StubResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The response of a stub to a review, unless it is delayed or silent. */
export function stubResponse(answer: StubAnswer, input: StubInput): StubResponse {
  const chosen = choose(answer, input);
  const json = { 'content-type': 'application/json' };
  if (chosen.convert) {
    return { status: 200, headers: json, body: JSON.stringify(convertedReview(chosen.convert, input.review ?? {})) };
  }
  if (!chosen.http) return { status: 200, headers: json, body: JSON.stringify(reviewAnswer(chosen, input)) };
  const { status = 200, headers = json, body = '' } = chosen.http;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers, body: text.replaceAll('$UID', input.review?.request?.uid ?? '') };
}

/** The answer for this round, or for an object with the label. */
export function choose(answer: StubAnswer, input: StubInput): StubAnswer {
  if (answer.sequence) {
    return choose(answer.sequence[Math.min(input.round, answer.sequence.length) - 1] ?? {}, input);
  }
  if (answer.whenLabel === undefined) return answer;
  const labels = input.review?.request?.object?.metadata?.labels ?? {};
  return choose((Object.hasOwn(labels, answer.whenLabel) ? answer.then : answer.else) ?? {}, input);
}

function reviewAnswer(answer: StubAnswer, { review }: StubInput): unknown {
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

/** How a stub converts: changes of each object, by the desired version or for `*`, and faults of the response. */
export interface ConvertAnswer {
  /** Pairs of JSON pointers: from, to. */
  readonly moves?: ByVersion<readonly [from: string, to: string]>;
  readonly sets?: ByVersion<readonly [at: string, value: unknown]>;
  readonly removes?: ByVersion<string>;
  /** The version of the converted objects instead of the desired one. */
  readonly objectVersion?: string;
  readonly dropLast?: number;
  /** Returns each object twice. */
  readonly dup?: boolean;
  readonly noObjects?: boolean;
  readonly result?: unknown;
  readonly uid?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
}

type ByVersion<T> = Readonly<Record<string, readonly T[]>>;

export interface ConversionReview {
  readonly apiVersion?: string;
  readonly request?: {
    readonly uid?: string;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly object[];
  };
}

/** The ConversionReview that a stub responds with. */
export function convertedReview(answer: ConvertAnswer, review: ConversionReview): object {
  const { uid, desiredAPIVersion = '', objects = [] } = review.request ?? {};
  const convertedObjects = convertObjects(answer, objects, desiredAPIVersion);
  return {
    apiVersion: answer.apiVersion ?? review.apiVersion,
    kind: answer.kind ?? 'ConversionReview',
    response: {
      uid: answer.uid ?? uid,
      result: answer.result ?? { status: 'Success' },
      ...(answer.noObjects ? {} : { convertedObjects }),
    },
  };
}

function convertObjects(answer: ConvertAnswer, objects: readonly object[], desired: string): readonly object[] {
  const [group = '', version = ''] = desired.split('/');
  const apiVersion = answer.objectVersion === undefined ? desired : `${group}/${answer.objectVersion}`;
  const converted = objects.map((object) => changeObject({ ...structuredClone(object), apiVersion }, answer, version));
  const kept = converted.slice(0, converted.length - (answer.dropLast ?? 0));
  return answer.dup ? [...kept, ...kept] : kept;
}

type Mutable = Record<string, unknown>;

function changeObject(object: Mutable, { moves, sets, removes }: ConvertAnswer, version: string): object {
  const rowsFor = <T>(rows: ByVersion<T> = {}): readonly T[] => rows[version] ?? rows['*'] ?? [];
  for (const [from, to] of rowsFor(moves)) {
    const value = removeAt(object, from);
    if (value !== undefined) setAt(object, to, value);
  }
  for (const [at, value] of rowsFor(sets)) setAt(object, at, value);
  for (const at of rowsFor(removes)) removeAt(object, at);
  return object;
}

const segments = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

function setAt(object: Mutable, pointer: string, value: unknown): void {
  const names = segments(pointer);
  let parent: Mutable = object;
  for (const name of names.slice(0, -1)) {
    parent[name] ??= {};
    parent = Object(parent[name]);
  }
  parent[names.at(-1) ?? ''] = value;
}

function removeAt(object: Mutable, pointer: string): unknown {
  const names = segments(pointer);
  const parent = Object(names.slice(0, -1).reduce<unknown>((at, name) => Object(at)[name], object));
  const last = names.at(-1) ?? '';
  const value: unknown = parent[last];
  delete parent[last];
  return value;
}
