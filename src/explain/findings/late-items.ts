import type { JsonValue } from '../../machinery/json/json.ts';
import { isSameActor } from './actor.ts';
import { type Habit, habitsOf, lacking } from './habits.ts';
import { isNewItem, itemChange, type ItemChange } from './list-items.ts';
import type { TraceView, Decision, Write } from './trace-view.ts';

/** A list item that was added after a mutation of all items of that list. */
export interface LateItem {
  readonly added: ItemChange;
  readonly by: Decision;
  readonly lacks: readonly Habit[];
}

export const isAsked = ({ record: decision }: Decision): boolean =>
  decision.outcome === 'called' || decision.outcome === 'evaluated';

/** The calls of each mutating webhook, policy and binding, in order. */
export function askedOf({ decisions }: TraceView): readonly (readonly Decision[])[] {
  const groups: Decision[][] = [];
  for (const by of decisions) {
    if (by.record.phase !== 'mutating' || by.record.type === 'plugin' || !isAsked(by)) continue;
    const known = groups.find(([first]) => first?.callee === by.callee);
    if (known) known.push(by);
    else groups.push([by]);
  }
  return groups;
}

/** Items that others added between two decisions and that lack the mutations of `mine`. */
export function lateItems(
  { writes }: TraceView,
  mine: readonly Decision[],
  { from, until }: { readonly from: number; readonly until: number },
): readonly LateItem[] {
  const habits = mine.filter(({ at }) => at <= from).flatMap(habitsOf);
  if (habits.length === 0) return [];
  return writes.flatMap(({ by, changes }) => {
    if (by === undefined || by.at <= from || by.at >= until) return [];
    return mine.some(({ actor }) => isSameActor(actor, by.actor)) ? [] : itemsIn(by, changes, habits);
  });
}

function itemsIn(by: Decision, changes: Write['changes'], habits: readonly Habit[]): readonly LateItem[] {
  return changes.flatMap((change) => {
    const added = itemChange(change);
    if (added === undefined || !isNewItem(added) || change.after === undefined) return [];
    const lacks = lackingIn(change.after, added, habits);
    return lacks.length === 0 ? [] : [{ added, by, lacks }];
  });
}

const lackingIn = (item: JsonValue, { list }: ItemChange, habits: readonly Habit[]): readonly Habit[] =>
  lacking(habits, list, item);
