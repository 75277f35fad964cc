import { namesOf } from '../apimachinery/field-names.ts';
import { inTurns } from '../apimachinery/in-turns.ts';
import { JsonNumber } from '../apimachinery/json.ts';
import type { JsonDocument, JsonValue } from '../apimachinery/json.ts';
import { jsonInSteps } from '../apimachinery/json-in-steps.ts';
import { byteLength } from '../apimachinery/names.ts';
import type { KubernetesObject } from '../apimachinery/object.ts';
import { inSteps } from '../apimachinery/pause.ts';
import type { Pause, Steps } from '../apimachinery/pause.ts';
import { plainError } from '../apimachinery/status.ts';
import type { Status } from '../apimachinery/status.ts';
import type { Release } from '../schema/release/release.ts';

/** What etcd takes of one request, and what its client sends at all. Follows etcd server/embed/config.go and client/v3/options.go. */
const limits = { request: 1.5 * 1024 * 1024, message: 2 * 1024 * 1024 } as const;

/** What a transaction holds beside the object: its key twice, comparisons, numbers. */
const transaction = 200;

/** Why an object is too large to be stored; undefined when it is not. Built-in kinds are stored as protobuf, others as JSON. */
export async function tooLarge(
  { loadProtobuf }: Pick<Release, 'loadProtobuf'>,
  object: KubernetesObject,
  pause?: Pause,
): Promise<Status | undefined> {
  if (isFarBelow(object)) return undefined;
  await pause?.();
  const size = (await storedSize(loadProtobuf, object, pause)) + transaction;
  if (size <= limits.request) return undefined;
  if (size <= limits.message) return plainError('etcdserver: request is too large');
  const text = `trying to send message larger than max (${size} vs. ${limits.message})`;
  return plainError(`rpc error: code = ResourceExhausted desc = ${text}`);
}

/** Is it so small that its size need not be told? A character has at most three bytes; most objects are. */
export const isFarBelow = (object: KubernetesObject): boolean => charactersLeft(limits.request / 3, object) > 0;

async function storedSize(
  loadProtobuf: Release['loadProtobuf'],
  object: KubernetesObject,
  pause: Pause | undefined,
): Promise<number> {
  const json = await inSteps(sizeInSteps(object), pause);
  if (json + transaction <= limits.request) return json;
  const { canEncode, sizeOf } = await loadProtobuf();
  return canEncode(object) ? inTurns(() => sizeOf(object), pause) : json;
}

/** In UTF-8. */
function* sizeInSteps(object: KubernetesObject): Steps<number> {
  let size = 0;
  for (const text of yield* jsonInSteps(object)) {
    size += byteLength(text);
    yield;
  }
  return size;
}

type Container = Exclude<Extract<JsonDocument | JsonValue, object>, JsonNumber>;

/**
 * How many of so many are left when about those that the object has in JSON are taken off; looks no further than nothing. What has
 * no values inside is counted where it stands: every write goes through here, and calls are what it costs.
 */
function charactersLeft(most: number, value: Container): number {
  const isItems = isList(value);
  // A loop over the object itself would list its fields again.
  const names = isItems ? [] : namesOf(value);
  const length = isItems ? value.length : names.length;
  let left = most - 2;
  for (let at = 0; at < length && left > 0; at += 1) {
    const field = names[at] ?? '';
    const inside = isItems ? value[at] : value[field];
    left -= isItems ? 0 : field.length + 4;
    if (typeof inside === 'string') left -= inside.length + 3;
    else if (typeof inside !== 'object' || inside === null || inside instanceof JsonNumber) left -= 8;
    else left = charactersLeft(left, inside);
  }
  return left;
}

const isList = (value: Container): value is readonly (JsonValue | JsonDocument)[] => Array.isArray(value);
