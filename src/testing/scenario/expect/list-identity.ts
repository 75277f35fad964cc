import { isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';

/** By what people tell the items of a list apart: containers, volumes and env by name, conditions by type. */
const keys = ['name', 'type'] as const;

/** The field by which these items are looked for; undefined when they are compared item by item. */
export const identityOf = (items: readonly JsonValue[]): string | undefined =>
  items.length === 0
    ? undefined
    : keys.find((key) => items.every((item) => isJsonObject(item) && typeof item[key] === 'string'));

/** The items that have this name; volumeMounts may have several. */
export const itemsOfName = (
  list: readonly JsonValue[],
  key: string,
  name: JsonValue | undefined,
): readonly JsonValue[] => list.filter((item) => isJsonObject(item) && sameJson(item[key], name));
