import { countValues } from '../../machinery/json/count-values.ts';
import { writeJson } from '../../machinery/json/json-writer.ts';
import { byteLength } from '../../machinery/meta/names.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { plainError } from '../../machinery/meta/status.ts';
import type { Status } from '../../machinery/meta/status.ts';
import type { Release } from '../../api/release/release.ts';

/** What etcd takes of one request, and what its client sends at all. Follows etcd server/embed/config.go and client/v3/options.go. */
const limits = { request: 1.5 * 1024 * 1024, message: 2 * 1024 * 1024 } as const;

/** What a transaction holds beside the object: its key twice, comparisons, numbers. */
const transaction = 200;

/** Why an object is too large to be stored; undefined when it is not. Built-in kinds are stored as protobuf, others as JSON. */
export async function tooLarge(
  { loadProtobuf }: Pick<Release, 'loadProtobuf'>,
  object: KubernetesObject,
): Promise<Status | undefined> {
  if (isFarBelow(object)) return undefined;
  const size = (await storedSize(loadProtobuf, object)) + transaction;
  if (size <= limits.request) return undefined;
  if (size <= limits.message) return plainError('etcdserver: request is too large');
  const text = `trying to send message larger than max (${size} vs. ${limits.message})`;
  return plainError(`rpc error: code = ResourceExhausted desc = ${text}`);
}

/** So many values are counted at once. */
const mostCounted = 50_000;

/** Is it so small that its size need not be told? In JSON a character has at most three bytes; most objects are. */
export function isFarBelow(object: KubernetesObject): boolean {
  const { left, characters, texts, others, containers, names, nameCharacters } = countValues(object, mostCounted);
  const written = characters + 3 * texts + 8 * others + 2 * containers + nameCharacters + 4 * names;
  return left >= 0 && written < limits.request / 3;
}

async function storedSize(loadProtobuf: Release['loadProtobuf'], object: KubernetesObject): Promise<number> {
  const json = byteLength(writeJson(object));
  if (json + transaction <= limits.request) return json;
  const { canEncode, sizeOf } = await loadProtobuf();
  return canEncode(object) ? sizeOf(object) : json;
}
