import type { JsonValue } from '../../machinery/json/json.ts';
import { isSameActor } from './actor.ts';
import { habitsOf, lacking } from './habits.ts';
import type { Habit } from './habits.ts';
import { isNewItem, itemChange } from './list-items.ts';
import type { ItemChange } from './list-items.ts';
import type { Reading, Turn, Write } from './reading.ts';

/** An item that somebody added to a list after another had treated all items that were there. */
export interface LateItem {
  readonly added: ItemChange;
  readonly by: Turn;
  readonly lacks: readonly Habit[];
}

/** Was it asked, and did it answer? */
export const isAsked = ({ decision }: Turn): boolean =>
  decision.outcome === 'called' || decision.outcome === 'evaluated';

/** Of every mutating webhook, policy and binding: the turns in which it was called or evaluated, in order. */
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

/** What others than `mine` added between two places in the trace and that lacks what `mine` did to each item before. */
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
