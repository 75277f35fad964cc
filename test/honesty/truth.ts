import fastJsonPatch from 'fast-json-patch';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../src/machinery/json/json.ts';
import type { Chain, ChainPolicy, ChainWebhook } from './chain.ts';
import type { Call, RequestResult } from './run-chain.ts';

/** One call, with the object before and after its patch. */
export interface WebhookCall {
  readonly webhook: string;
  readonly phase: ChainWebhook['phase'];
  /** Its index among all calls of the request. */
  readonly at: number;
  /** The name of its object. */
  readonly object: string;
  /** Whether it is the second call for this object. A DELETE is not mutated and has no second round. */
  readonly round: 0 | 1;
  readonly outcome: 'allowed' | 'denied' | 'failed';
  readonly message: string;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly hasPatch: boolean;
}

/** The facts about one request without its trace: calls, responses, stored objects, configuration. */
export interface Truth {
  readonly chain: Chain;
  readonly played: RequestResult;
  readonly done: readonly WebhookCall[];
  /** Every observed state of the object, in order. */
  readonly states: readonly JsonValue[];
  readonly isAdmitted: boolean;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
}

export function truthOf(chain: Chain, played: RequestResult): Truth {
  const { request, calls, storedBefore, storedAfter, body, code } = played;
  const done = calls.map((call, at) => toWebhookCall(chain, call, at, calls));
  const sent = request.method === 'PATCH' ? mergePatch(storedBefore, request.body) : request.body;
  const ends = [storedBefore, sent, storedAfter, body].flatMap(objectsIn);
  const seen = calls.flatMap(({ review }) => [review.object, asObject(review['oldObject'])]);
  const states = [...ends, ...seen, ...done.map(({ after }) => after)].flatMap((one) => (one ? [one] : []));
  const operation = request.method === 'DELETE' ? 'DELETE' : request.method === 'POST' ? 'CREATE' : 'UPDATE';
  return { chain, played, done, states, isAdmitted: code < 400, operation };
}

/** A merge patch. */
function mergePatch(before: JsonValue | undefined, patch: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, JsonValue> = {};
  const object = isJsonObject(before) ? before : {};
  for (const [key, value] of Object.entries({ ...object, ...patch })) {
    const next = Object.hasOwn(patch, key) && value !== null ? mergePatch(object[key], value) : value;
    if (next !== undefined && next !== null) result[key] = next;
  }
  return result;
}

/** The items of a list, or the object itself. */
const objectsIn = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined ? [] : [value, ...asList(valueAt(value, 'items'))];

function toWebhookCall(
  { webhooks }: Chain,
  { webhook, review, answer }: Call,
  place: number,
  calls: readonly Call[],
): WebhookCall {
  const phase = webhooks.find(({ name }) => name === webhook)?.phase ?? 'Mutating';
  const isSecond = calls
    .slice(0, place)
    .some((one) => one.webhook === webhook && nameIn(one.review) === nameIn(review));
  const round = isSecond && review['operation'] !== 'DELETE' && phase === 'Mutating' ? 1 : 0;
  const before = review.object ?? undefined;
  const about = { webhook, phase, at: place, object: nameIn(review), round, before } as const;
  return { ...about, ...answerOf(answer, before) };
}

/** A deletecollection request has no name. */
const nameIn = (review: Call['review']): string =>
  asString(review['name']) || asString(valueAt(asObject(review['oldObject']), 'metadata', 'name'));

function answerOf(
  answer: Call['answer'],
  before: JsonValue | undefined,
): Pick<WebhookCall, 'outcome' | 'message' | 'after' | 'hasPatch'> {
  const isSame = { after: before, hasPatch: false };
  if ('outcome' in answer) return { ...isSame, outcome: 'failed', message: '' };
  if (answer.allowed === false) return { ...isSame, outcome: 'denied', message: asString(answer.status?.['message']) };
  if (answer.patch === undefined) return { ...isSame, outcome: 'allowed', message: '' };
  const after = applyPatch(before ?? null, answer.patch);
  if (after === undefined) return { ...isSame, outcome: 'failed', message: 'its patch does not apply' };
  return { outcome: 'allowed', message: '', after, hasPatch: true };
}

function applyPatch(object: JsonValue, patch: readonly JsonObject[]): JsonValue | undefined {
  try {
    return fastJsonPatch.applyPatch(structuredClone(object), patch as never, true).newDocument;
  } catch {
    return undefined;
  }
}

export const callsOf = ({ done }: Truth, name: string): readonly WebhookCall[] =>
  done.filter(({ webhook }) => webhook === name);

export const webhookNamed = ({ chain }: Truth, name: string): ChainWebhook | undefined =>
  chain.webhooks.find((one) => one.name === name);

export const policyNamed = ({ chain }: Truth, name: string): ChainPolicy | undefined =>
  chain.policies.find((one) => one.name === name);

/** A field path: names of fields, and names of items. */
export type Path = readonly string[];

/** The value at a path; an item of a list is found by its name. */
export function at(value: JsonValue | undefined, path: Path): JsonValue | undefined {
  let here = value;
  for (const step of path) {
    if (Array.isArray(here)) here = itemNamed(here, step);
    else here = isJsonObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here;
}

const itemNamed = (list: readonly JsonValue[], step: string): JsonValue | undefined =>
  list.find((item) => ['name', 'mountPath', 'key'].some((key) => asObject(item)[key] === step)) ?? list[Number(step)];

export const same = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  JSON.stringify(sortFields(one)) === JSON.stringify(sortFields(other));

const sortFields = (value: JsonValue | undefined): JsonValue | undefined => {
  if (Array.isArray(value)) return value.map((one) => sortFields(one) ?? null);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => Number(a > b) - Number(a < b))
      .map(([key, one]) => [key, sortFields(one)]),
  ) as JsonObject;
};

/** Whether the call changed the object. The stub that writes `datum` writes an unknown field. */
export const hasEffect = ({ before, after }: WebhookCall): boolean => !same(before, withoutDatum(after));

function withoutDatum(object: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(object)) return object;
  const { datum: _datum, ...rest } = object;
  return rest;
}

export const changes = ({ before, after }: WebhookCall, path: Path): boolean =>
  !same(at(before, path), at(after, path));
