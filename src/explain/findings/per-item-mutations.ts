import { groupBy } from '../../machinery/lists.ts';
import { sameJson } from '../../machinery/json/json-equal.ts';
import { isJsonObject, type JsonValue } from '../../machinery/json/json.ts';
import { type FieldPath, type PathStep, pathText } from '../trace/field-path.ts';
import { describeField, describeList } from './describe-field.ts';
import { isSameActor } from './finding.ts';
import { type ItemChange, isNewItem, isSamePath, itemChange, itemsAt, valueIn } from './list-items.ts';
import type { TraceView, ViewedDecision, ViewedWrite } from './trace-view.ts';

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
  const mutations = new Map<string, ItemMutation>();
  for (const change of changes) {
    const itemMutation = itemChange(change);
    if (itemMutation === undefined || isNewItem(itemMutation) || itemMutation.within.length === 0) continue;
    const { list, item, within } = itemMutation;
    const key = `${pathText(list)} ${pathText(within)}`;
    if (mutations.has(key)) continue;
    const mutation = { list, within, before: change.before, after: change.after, example: item };
    const items = itemsAt(states?.before, list);
    const isOfAll = items.every(([step]) => {
      const now = valueIn(states?.after, [...list, step]);
      return now === undefined || hasMutation(now, mutation);
    });
    if (isOfAll) mutations.set(key, mutation);
  }
  return [...mutations.values()];
}

/** Does the item have the result of the mutation? */
export function hasMutation(item: JsonValue, { within, before, after }: ItemMutation): boolean {
  const value = valueIn(item, within);
  if (after === undefined) return value === undefined;
  // A rewritten value must exist.
  if (value === undefined) return before !== undefined;
  // A default is not set where a value exists.
  return before === undefined || sameJson(value, after) || isSameOrigin(value, after);
}

/** Images or URLs of the same registry or host. */
const isSameOrigin = (one: JsonValue, other: JsonValue): boolean =>
  typeof one === 'string' &&
  typeof other === 'string' &&
  textOrigin(one) !== '' &&
  textOrigin(one) === textOrigin(other);

const textOrigin = (text: string): string => text.slice(0, Math.max(0, text.lastIndexOf('/')));

/**
 * The mutations that an item of the list lacks. Mutations of containers also apply to sidecars among the init
 * containers.
 */
export const missingMutations = (
  mutations: readonly ItemMutation[],
  list: FieldPath,
  item: JsonValue,
): readonly ItemMutation[] =>
  mutations.filter((mutation) => isOfList(mutation, list, item) && !hasMutation(item, mutation));

function isOfList(mutation: ItemMutation, list: FieldPath, item: JsonValue): boolean {
  if (isSamePath(mutation.list, list)) return true;
  const isSidecar = isJsonObject(item) && item['restartPolicy'] === 'Always';
  const siblings = [...list.slice(0, -1), 'containers'];
  return isSidecar && list.at(-1) === 'initContainers' && isSamePath(mutation.list, siblings);
}

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
  const calls = decisions.filter(
    (by) => by.record.phase === 'mutating' && by.record.type !== 'plugin' && decisionCalled(by),
  );
  return [...groupBy(calls, ({ callee }) => callee).values()];
}

/** Items that others added between two decisions and that lack the mutations of `mine`. */
export function lateItems(
  { writes }: TraceView,
  calls: readonly ViewedDecision[],
  { from, until }: { readonly from: number; readonly until: number },
): readonly LateItem[] {
  const mutations = calls.filter(({ at }) => at <= from).flatMap(itemMutations);
  if (mutations.length === 0) return [];
  return writes.flatMap(({ by, changes }) => {
    if (by === undefined || by.at <= from || by.at >= until) return [];
    return calls.some(({ actor }) => isSameActor(actor, by.actor)) ? [] : lateItemsOf(by, changes, mutations);
  });
}

function lateItemsOf(
  by: ViewedDecision,
  changes: ViewedWrite['changes'],
  mutations: readonly ItemMutation[],
): readonly LateItem[] {
  return changes.flatMap((change) => {
    const added = itemChange(change);
    if (added === undefined || !isNewItem(added) || change.after === undefined) return [];
    const lacks = missingMutations(mutations, added.list, change.after);
    return lacks.length === 0 ? [] : [{ added, by, lacks }];
  });
}

/** `container late has no env REGION, which container web was given`. */
export function lateItemText({ added, lacks }: LateItem): string {
  const [first] = lacks;
  const item = describeField(added.change.path);
  if (first === undefined) return item;
  const wants = describeList(lacks.map(({ within }) => describeField(within)));
  const isSet = lacks.some(({ before, after }) => before !== undefined && after !== undefined);
  const example = describeField([...first.list, first.example]);
  return isSet
    ? `${item} keeps its own ${wants}; that of ${example} was changed`
    : `${item} has no ${wants}, which was set on ${example}`;
}
