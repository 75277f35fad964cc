import { isJsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { type FieldPath, type PathStep, pathText } from '../trace/field-path.ts';
import { isNewItem, isSamePath, itemChange, itemsAt, valueIn } from './list-items.ts';
import type { ViewedDecision } from './trace-view.ts';

/** A mutation of every item of a list: sets `env[name=REGION]` of each container. */
export interface ItemMutation {
  readonly list: FieldPath;
  /** The path inside an item. */
  readonly within: FieldPath;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  /** An item that was mutated. */
  readonly example: PathStep;
}

/** The mutations that a decision applied to every item of a list, except to those that already had the value. */
export function itemMutations({
  changes,
  states,
}: Pick<ViewedDecision, 'changes' | 'states'>): readonly ItemMutation[] {
  const habits = new Map<string, ItemMutation>();
  for (const change of changes) {
    const found = itemChange(change);
    if (found === undefined || isNewItem(found) || found.within.length === 0) continue;
    const { list, item, within } = found;
    const key = `${pathText(list)} ${pathText(within)}`;
    if (habits.has(key)) continue;
    const habit = { list, within, before: change.before, after: change.after, example: item };
    const items = itemsAt(states?.before, list);
    const isOfAll = items.every(([step]) => {
      const now = valueIn(states?.after, [...list, step]);
      return now === undefined || has(now, habit);
    });
    if (isOfAll) habits.set(key, habit);
  }
  return [...habits.values()];
}

/** Does the item have the result of the mutation? */
export function has(item: JsonValue, { within, before, after }: ItemMutation): boolean {
  const value = valueIn(item, within);
  if (after === undefined) return value === undefined;
  // A rewritten value must exist.
  if (value === undefined) return before !== undefined;
  // A default is not set where a value exists.
  return before === undefined || sameJson(value, after) || sameOrigin(value, after);
}

/** Images or URLs of the same registry or host. */
const sameOrigin = (one: JsonValue, other: JsonValue): boolean =>
  typeof one === 'string' && typeof other === 'string' && originOf(one) !== '' && originOf(one) === originOf(other);

const originOf = (text: string): string => text.slice(0, Math.max(0, text.lastIndexOf('/')));

/**
 * The mutations that an item of the list lacks. Mutations of containers also apply to sidecars among the init
 * containers.
 */
export const missingMutations = (
  habits: readonly ItemMutation[],
  list: FieldPath,
  item: JsonValue,
): readonly ItemMutation[] => habits.filter((habit) => isOfList(habit, list, item) && !has(item, habit));

function isOfList(habit: ItemMutation, list: FieldPath, item: JsonValue): boolean {
  if (isSamePath(habit.list, list)) return true;
  const isSidecar = isJsonObject(item) && item['restartPolicy'] === 'Always';
  const siblings = [...list.slice(0, -1), 'containers'];
  return isSidecar && list.at(-1) === 'initContainers' && isSamePath(habit.list, siblings);
}
