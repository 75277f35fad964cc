import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { createRecent } from '../../machinery/recent.ts';

/** An object as lists of a built-in kind hold it, without its kind and apiVersion: for each list the same one. */
export function listItemOf(object: KubernetesObject): JsonObject {
  const known = items.get(object);
  if (known) return known;
  const { kind: _kind, apiVersion: _apiVersion, ...item } = object;
  items.put(object, item);
  return item;
}

const mostItems = 100_000;
const items = createRecent<JsonObject>(mostItems, () => 1);
