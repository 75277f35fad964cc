import { asObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { textHash } from '../../api/types/openapi/text-hash.ts';

/** Counts up when other documents are made of a definition than before. */
const edition = 4;

/** Of the 16: schemas can be long, and all of this is hashed once more. */
const shortParts = 4;

const hashes = new WeakMap<JsonObject, string>();

/** Of what is published of a version, without making it. The version is by far the longest part, so it is hashed once. */
export function openapiHash(definition: KubernetesObject, version: JsonObject): string {
  const known = hashes.get(version) ?? hashOf(version);
  hashes.set(version, known);
  const { group, scope, names } = asObject(definition['spec']);
  return textHash(JSON.stringify([edition, known, group, scope, names]));
}

const hashOf = (version: JsonObject): string => textHash(JSON.stringify(version), shortParts);
