import { groupBy } from '../../machinery/lists.ts';
import { append, type JsonValue } from '../../machinery/json/json.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import type { FieldChange } from '../trace/object-diff.ts';
import { isSameActor } from './finding.ts';
import { isSamePath, isWithin, valueIn } from './list-items.ts';
import type { TraceView, ViewedDecision } from './trace-view.ts';

/** Two changes of one field: the later one undoes or replaces the earlier one. */
export interface Conflict {
  readonly earlier: OwnedChange;
  /** `by` is absent when the server itself changed the field. */
  readonly later: { readonly by?: ViewedDecision; readonly change: FieldChange };
  /** `set-back`: to its value before the earlier change. `restored`: the earlier change had removed it. */
  readonly how: 'removed' | 'set-back' | 'changed' | 'restored';
}

export interface OwnedChange {
  readonly by: ViewedDecision;
  readonly change: FieldChange;
}

/** Every field that one decision changes after another one, in order. */
export function conflictsOf({ writes }: TraceView): readonly Conflict[] {
  const known: OwnedChange[] = [];
  const conflicts: Conflict[] = [];
  for (const { by, changes } of writes) {
    for (const change of changes) {
      const previous = earlierChange(change, known);
      if (previous === undefined) continue;
      const { earlier, how } = previous;
      conflicts.push({ earlier, how, later: { change, ...(by === undefined ? {} : { by }) } });
    }
    if (by === undefined) continue;
    append(
      known,
      changes.map((change) => ({ by, change })),
    );
  }
  return conflicts;
}

function earlierChange(
  change: FieldChange,
  known: readonly OwnedChange[],
): Pick<Conflict, 'earlier' | 'how'> | undefined {
  const earlier = known.findLast((one) => concernsField(one.change, change));
  if (earlier === undefined) return undefined;
  const isSame = isSamePath(earlier.change.path, change.path);
  if (change.after === undefined) return { earlier, how: 'removed' };
  if (earlier.change.after === undefined) return { earlier, how: 'restored' };
  return { earlier, how: isSame && sameJson(change.after, earlier.change.before) ? 'set-back' : 'changed' };
}

/** Of a field that is removed as a whole, only what is still in it counts. */
function concernsField(earlier: FieldChange, { path, before, after }: FieldChange): boolean {
  if (isSamePath(earlier.path, path)) return true;
  if (isWithin(earlier.path, path)) {
    const isThere = valueIn(before, earlier.path.slice(path.length)) !== undefined;
    return after === undefined && earlier.after !== undefined && isThere;
  }
  // Inside an item that the earlier change added, only what it added.
  if (!isWithin(path, earlier.path) || before === undefined) return false;
  return sameJson(valueIn(earlier.after, path.slice(earlier.path.length)), before);
}

export const isOfSameActor = ({ earlier, later }: Conflict): boolean =>
  later.by !== undefined && isSameActor(earlier.by.actor, later.by.actor);

/** Compiled-in plugins cannot be configured otherwise, so only webhooks and policies count. */
export const isBetweenCallees = (conflict: Conflict): boolean =>
  !isOfSameActor(conflict) &&
  isCallee(conflict.earlier.by) &&
  conflict.later.by !== undefined &&
  isCallee(conflict.later.by);

export const isCallee = ({ actor }: ViewedDecision): boolean => actor.type !== 'plugin';

/** Does the field keep the value of the later change? */
export const isFinal = ({ later: { by, change } }: Conflict, { writes }: TraceView): boolean =>
  !writes
    .slice(writes.findIndex((one) => one.by === by && one.changes.includes(change)) + 1)
    .some(({ before, after }) => !isSameValue(valueIn(before, change.path), valueIn(after, change.path)));

export const isSameValue = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  one === undefined || other === undefined ? one === other : sameJson(one, other);

/** Groups conflicts of one kind between the same two decisions. */
export const byDecisions = (conflicts: readonly Conflict[]): readonly (readonly [Conflict, ...Conflict[]])[] => [
  ...groupBy(conflicts, ({ how, earlier, later }) => `${how} ${earlier.by.at} ${later.by?.at ?? 'server'}`).values(),
];
