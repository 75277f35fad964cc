import type { JsonValue } from '../../machinery/json/json.ts';
import { isSameActor } from './actor.ts';
import { habitsOf, lacking } from './habits.ts';
import type { Habit } from './habits.ts';
import { isNewItem, itemChange } from './list-items.ts';
import type { ItemChange } from './list-items.ts';
import type { Reading, Turn, Write } from './reading.ts';

/** A list item that was added after a mutation of all items of that list. */
export interface LateItem {
  readonly added: ItemChange;
  readonly by: Turn;
  readonly lacks: readonly Habit[];
}

export const isAsked = ({ decision }: Turn): boolean =>
  decision.outcome === 'called' || decision.outcome === 'evaluated';

/** The calls of each mutating webhook, policy and binding, in order. */
export function askedOf({ turns }: Reading): readonly (readonly Turn[])[] {
  const groups: Turn[][] = [];
  for (const turn of turns) {
    if (turn.decision.phase !== 'mutating' || turn.decision.type === 'plugin' || !isAsked(turn)) continue;
    const known = groups.find(([first]) => first?.callee === turn.callee);
    if (known) known.push(turn);
    else groups.push([turn]);
  }
  return groups;
}

/** Items that others added between two decisions and that lack the mutations of `mine`. */
export function lateItems(
  { writes }: Reading,
  mine: readonly Turn[],
  { from, until }: { readonly from: number; readonly until: number },
): readonly LateItem[] {
  const habits = mine.filter(({ at }) => at <= from).flatMap(habitsOf);
  if (habits.length === 0) return [];
  return writes.flatMap(({ turn, changes }) => {
    if (turn === undefined || turn.at <= from || turn.at >= until) return [];
    return mine.some(({ actor }) => isSameActor(actor, turn.actor)) ? [] : itemsIn(turn, changes, habits);
  });
}

function itemsIn(by: Turn, changes: Write['changes'], habits: readonly Habit[]): readonly LateItem[] {
  return changes.flatMap((change) => {
    const added = itemChange(change);
    if (added === undefined || !isNewItem(added) || change.after === undefined) return [];
    const lacks = lackingIn(change.after, added, habits);
    return lacks.length === 0 ? [] : [{ added, by, lacks }];
  });
}

const lackingIn = (item: JsonValue, { list }: ItemChange, habits: readonly Habit[]): readonly Habit[] =>
  lacking(habits, list, item);
