import { mapStrings, withoutRandomName } from '../../../explain/trace/random-names.ts';
import { asObject, valueAt, withValue } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';

/** What the server fills in, whatever was sent. */
const serverFields: readonly (readonly string[])[] = [
  ['metadata', 'uid'],
  ['metadata', 'resourceVersion'],
  ['metadata', 'generation'],
  ['metadata', 'creationTimestamp'],
  ['metadata', 'selfLink'],
  ['metadata', 'managedFields'],
  ['status'],
];

/** The object without what the server fills in, but for the fields that `expected` names; random names as `<random>`. */
export function withoutServerFields(object: JsonObject, expected: JsonObject): JsonObject {
  const kept = serverFields
    .filter((path) => valueAt(expected, ...path) === undefined)
    .reduce((rest, path) => (valueAt(rest, ...path) === undefined ? rest : withValue(rest, path, undefined)), object);
  return asObject(mapStrings(kept, withoutRandomName));
}
