import { sameJson } from '../../../machinery/json/json-equal.ts';
import { isJsonObject, isList, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { type FieldPath, keyValue, pathText, membersOf } from '../../trace/field-path.ts';
import { actorText, type Finding, isSameActor } from '../finding.ts';
import { describeField, namedList } from '../describe-field.ts';
import { whyLater } from '../order-remedy.ts';
import type { TraceView, ViewedDecision } from '../trace-view.ts';

interface AddedItem {
  readonly growth: Growth;
  readonly by: ViewedDecision;
}

/**
 * A list has an item twice: added by one webhook in both rounds, by two webhooks, or after the client sent it. Items
 * are equal by key, or in all but the key; texts as in args by value.
 */
export function duplicateItem({ trace, writes }: TraceView): readonly Finding[] {
  const all: AddedItem[] = [];
  const findings: Finding[] = [];
  for (const { by, before, after } of writes) {
    if (by === undefined) continue;
    for (const growth of growthBetween(before, after)) {
      const found = duplicateFinding({ growth, by }, all, trace.verdict === 'refused');
      if (found !== undefined) findings.push(found);
      all.push({ growth, by });
    }
  }
  return findings;
}

function duplicateFinding(now: AddedItem, earlier: readonly AddedItem[], isRefused: boolean): Finding | undefined {
  const { growth, by } = now;
  const twin = earlier.find((one) => isDuplicate(one, now));
  if (twin === undefined && (growth.count < 2 || !growth.isNamed)) return undefined;
  return {
    rule: 'duplicate-item',
    severity: isRefused && growth.count > 1 ? 'error' : 'warning',
    title: findingTitle(now, twin),
    where: {
      actors: [by.actor, ...(twin === undefined || isSameActor(twin.by.actor, by.actor) ? [] : [twin.by.actor])],
      fields: [`${pathText(growth.list)}[${keyText(growth)}]`],
    },
    evidence: findingEvidence(now, twin),
    remedy: findingRemedy(now, twin),
  };
}

/** The same name, or a second item of the same webhook that differs only in its name. */
function isDuplicate(one: AddedItem, now: AddedItem): boolean {
  if (pathText(one.growth.list) !== pathText(now.growth.list) || one.growth.isNamed !== now.growth.isNamed)
    return false;
  const isOwn = isSameActor(one.by.actor, now.by.actor) && one.by.at !== now.by.at;
  if (one.growth.name === now.growth.name) return now.growth.count > 1 && (now.growth.isNamed || isOwn);
  return isOwn && now.growth.isNamed && isSameButName(one.growth, now.growth);
}

function isSameButName({ list, item }: Growth, { item: other }: Growth): boolean {
  const key = namedList(list)?.key ?? '';
  const rest = (value: JsonValue): JsonValue => (isJsonObject(value) ? { ...value, [key]: '' } : value);
  return Object.keys(isJsonObject(item) ? item : {}).length > 1 && sameJson(rest(item), rest(other));
}

const keyText = ({ list, name }: Growth): string => {
  const key = namedList(list)?.key;
  return key === undefined ? name : `${key}=${name}`;
};

/** `container late`, `"--verbose" in args of container web`. */
function itemText({ list, name, isNamed }: Growth): string {
  const key = namedList(list)?.key ?? 'name';
  return isNamed ? describeField([...list, { key, value: name }]) : `${JSON.stringify(name)} in ${describeField(list)}`;
}

function findingTitle({ growth, by }: AddedItem, twin: AddedItem | undefined): string {
  const actor = actorText(by.actor);
  const item = itemText(growth);
  if (twin === undefined) {
    return growth.was > 0
      ? `${actor} added ${item}, which existed already`
      : `${actor} added ${item} ${growth.count} times at once`;
  }
  if (!isSameActor(twin.by.actor, by.actor)) return `${item} was added by ${actorText(twin.by.actor)} and by ${actor}`;
  if (twin.by.round === by.round) {
    return twin.growth.name === growth.name
      ? `${actor} added ${item} twice`
      : `${actor} added ${itemText(twin.growth)} and ${item}: identical except for the name`;
  }
  if (twin.growth.name === growth.name) return `${actor} added ${item} twice: in the first round and in the second`;
  return `${actor} added ${itemText(twin.growth)} in the first round and ${item} in the second: identical except for the name`;
}

function findingEvidence({ growth, by }: AddedItem, twin: AddedItem | undefined): Finding['evidence'] {
  const many =
    growth.count > 1 ? [{ text: `${describeField(growth.list)} has ${growth.name} ${growth.count} times` }] : [];
  return [...many.map((one) => ({ ...one, decision: by.at })), ...(twin === undefined ? [] : [firstAddition(twin)])];
}

const firstAddition = ({ by, growth }: AddedItem) => ({
  text: `the first was added by ${actorText(by.actor)}: ${itemText(growth)}`,
  decision: by.at,
});

function findingRemedy({ by, growth }: AddedItem, twin: AddedItem | undefined): string {
  const { name } = by.actor;
  const look = `check in ${name} whether ${itemText(growth)} exists before adding it`;
  if (twin === undefined || isSameActor(twin.by.actor, by.actor)) {
    return twin === undefined || twin.by.round === by.round
      ? look
      : `${look}: it is reinvoked (reinvocationPolicy IfNeeded) and receives its own change`;
  }
  return `${look}, or add it in only one of the two; ${name} runs second, since ${whyLater(twin.by.record, by.record)}`;
}

/** An item that occurs more often than before. */
interface Growth {
  readonly list: FieldPath;
  /** The key, or the item itself when it is a text. */
  readonly name: string;
  readonly isNamed: boolean;
  readonly item: JsonValue;
  /** How many items have that name now. */
  readonly count: number;
  readonly was: number;
}

/** The items that lists have gained. */
function growthBetween(before: JsonObject, after: JsonObject): readonly Growth[] {
  const old = new Map(listsIn(before, []).map(({ path, list }) => [pathText(path), list]));
  return listsIn(after, []).flatMap(({ path, list }) => {
    const was = old.get(pathText(path));
    return was === list ? [] : growthOf(path, was ?? [], list);
  });
}

function growthOf(path: FieldPath, was: readonly JsonValue[], list: readonly JsonValue[]): readonly Growth[] {
  const key = namedList(path)?.key;
  const counts = countItems(was, key);
  const now = countItems(list, key);
  return [...now].flatMap(([name, { count, item }]) => {
    const before = counts.get(name)?.count ?? 0;
    return count <= before ? [] : [{ list: path, name, isNamed: typeof item !== 'string', item, count, was: before }];
  });
}

function countItems(list: readonly JsonValue[], key: string | undefined) {
  const counts = new Map<string, { readonly count: number; readonly item: JsonValue }>();
  for (const item of list) {
    const name = typeof item === 'string' ? item : key === undefined ? undefined : keyValue(item, key);
    if (name !== undefined) counts.set(name, { count: (counts.get(name)?.count ?? 0) + 1, item });
  }
  return counts;
}

interface ListAtPath {
  readonly path: FieldPath;
  readonly list: readonly JsonValue[];
}

function listsIn(value: JsonValue | undefined, path: FieldPath): readonly ListAtPath[] {
  if (value === undefined || (path.length === 2 && path[1] === 'managedFields')) return [];
  const inner = membersOf(value, path).flatMap(([memberPath, member]) => listsIn(member, memberPath));
  return isList(value) ? [{ path, list: value }, ...inner] : inner;
}
