import type { JsonValue } from '../apimachinery/json.ts';
import { atOnce } from '../apimachinery/pause.ts';
import type { Steps } from '../apimachinery/pause.ts';
import { elementName } from './path-element.ts';
import type { ListType } from './value-type.ts';

type ItemsByName = ReadonlyMap<string, readonly JsonValue[]>;

/** The elements under their names, in order. */
export const itemsByName = (list: readonly JsonValue[], type: ListType): ItemsByName =>
  atOnce(itemsByNameInSteps(list, type));

/** So many items are one step. */
const piece = 500;

/** The same, in steps. */
export function* itemsByNameInSteps(list: readonly JsonValue[], type: ListType): Steps<ItemsByName> {
  const items = new Map<string, JsonValue[]>();
  for (const [at, item] of list.entries()) {
    const name = elementName(item, type);
    const others = items.get(name);
    if (others) others.push(item);
    else items.set(name, [item]);
    if (at % piece === piece - 1) yield;
  }
  return items;
}
