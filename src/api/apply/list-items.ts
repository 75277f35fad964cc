import type { JsonValue } from '../../machinery/json/json.ts';
import { elementName } from './path-element.ts';
import type { ListType } from './value-type.ts';

type ItemsByName = ReadonlyMap<string, readonly JsonValue[]>;

/** The elements under their names, in order. */
export function itemsByName(list: readonly JsonValue[], type: ListType): ItemsByName {
  const items = new Map<string, JsonValue[]>();
  for (const item of list) {
    const name = elementName(item, type);
    const others = items.get(name);
    if (others) others.push(item);
    else items.set(name, [item]);
  }
  return items;
}
