import { isJsonObject } from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import type { JsonValue } from '../../machinery/json/json.ts';
import { pathText } from '../trace/field-path.ts';
import type { FieldPath, PathStep } from '../trace/field-path.ts';
import { isNewItem, isSamePath, itemChange, itemsAt, valueIn } from './list-items.ts';
import type { Turn } from './reading.ts';

/** What somebody does to every item of a list that it is shown: sets `env[name=REGION]` of each container. */
export interface Habit {
  readonly list: FieldPath;
  /** Where in an item. */
  readonly within: FieldPath;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  /** An item to which it was done. */
  readonly example: PathStep;
}

/**
 * What a turn did to each item of a list that was there when it came: to all of them, or the others had it already. What it
 * did to one item out of several is no habit: it wanted that one.
 */
export function habitsOf({ changes, states }: Pick<Turn, 'changes' | 'states'>): readonly Habit[] {
  const habits = new Map<string, Habit>();
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

/** Does the item have what the habit gives? */
export function has(item: JsonValue, { within, before, after }: Habit): boolean {
  const value = valueIn(item, within);
  if (after === undefined) return value === undefined;
  // What is only rewritten has to be there.
  if (value === undefined) return before !== undefined;
  // What was only filled in where it was missing is left alone where it is there.
  return before === undefined || sameJson(value, after) || sameOrigin(value, after);
}

/** Of images and urls: is it from the same registry or host? */
const sameOrigin = (one: JsonValue, other: JsonValue): boolean =>
  typeof one === 'string' && typeof other === 'string' && originOf(one) !== '' && originOf(one) === originOf(other);

const originOf = (text: string): string => text.slice(0, Math.max(0, text.lastIndexOf('/')));

/** The habits of a list that an item of it was not given; of a list of sidecars among the init containers, those of containers. */
export const lacking = (habits: readonly Habit[], list: FieldPath, item: JsonValue): readonly Habit[] =>
  habits.filter((habit) => isOfList(habit, list, item) && !has(item, habit));

function isOfList(habit: Habit, list: FieldPath, item: JsonValue): boolean {
  if (isSamePath(habit.list, list)) return true;
  const isSidecar = isJsonObject(item) && item['restartPolicy'] === 'Always';
  const siblings = [...list.slice(0, -1), 'containers'];
  return isSidecar && list.at(-1) === 'initContainers' && isSamePath(habit.list, siblings);
}
