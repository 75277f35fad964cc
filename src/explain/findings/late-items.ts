import type { JsonValue } from '../../machinery/json/json.ts';
import { isSameActor } from './finding.ts';
import { type ItemMutation, itemMutations, missingMutations } from './per-item-mutations.ts';
import { isNewItem, itemChange, type ItemChange } from './list-items.ts';
import type { TraceView, ViewedDecision, ViewedWrite } from './trace-view.ts';
import { fieldWords, listWords } from './field-words.ts';

/** A list item that was added after a mutation of all items of that list. */
export interface LateItem {
  readonly added: ItemChange;
  readonly by: ViewedDecision;
  readonly lacks: readonly ItemMutation[];
}

export const decisionCalled = ({ record: decision }: ViewedDecision): boolean =>
  decision.outcome === 'called' || decision.outcome === 'evaluated';

/** The calls of each mutating webhook, policy and binding, in order. */
export function callsByCallee({ decisions }: TraceView): readonly (readonly ViewedDecision[])[] {
  const groups: ViewedDecision[][] = [];
  for (const by of decisions) {
    if (by.record.phase !== 'mutating' || by.record.type === 'plugin' || !decisionCalled(by)) continue;
    const known = groups.find(([first]) => first?.callee === by.callee);
    if (known) known.push(by);
    else groups.push([by]);
  }
  return groups;
}

/** Items that others added between two decisions and that lack the mutations of `mine`. */
export function lateItems(
  { writes }: TraceView,
  mine: readonly ViewedDecision[],
  { from, until }: { readonly from: number; readonly until: number },
): readonly LateItem[] {
  const habits = mine.filter(({ at }) => at <= from).flatMap(itemMutations);
  if (habits.length === 0) return [];
  return writes.flatMap(({ by, changes }) => {
    if (by === undefined || by.at <= from || by.at >= until) return [];
    return mine.some(({ actor }) => isSameActor(actor, by.actor)) ? [] : itemsIn(by, changes, habits);
  });
}

function itemsIn(
  by: ViewedDecision,
  changes: ViewedWrite['changes'],
  habits: readonly ItemMutation[],
): readonly LateItem[] {
  return changes.flatMap((change) => {
    const added = itemChange(change);
    if (added === undefined || !isNewItem(added) || change.after === undefined) return [];
    const lacks = lackingIn(change.after, added, habits);
    return lacks.length === 0 ? [] : [{ added, by, lacks }];
  });
}

const lackingIn = (item: JsonValue, { list }: ItemChange, habits: readonly ItemMutation[]): readonly ItemMutation[] =>
  missingMutations(habits, list, item);

/** `container late has no env REGION, which container web was given`. */
export function givenText({ added, lacks }: LateItem): string {
  const [first] = lacks;
  const item = fieldWords(added.change.path);
  if (first === undefined) return item;
  const wants = listWords(lacks.map(({ within }) => fieldWords(within)));
  const isSet = lacks.some(({ before, after }) => before !== undefined && after !== undefined);
  const example = fieldWords([...first.list, first.example]);
  return isSet
    ? `${item} keeps its own ${wants}; that of ${example} was changed`
    : `${item} has no ${wants}, which was set on ${example}`;
}
