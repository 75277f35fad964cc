import { asString, isJsonObject, isList, type JsonValue } from '../../machinery/json/json.ts';
import { type FieldPath, listKeyOf, keyValue, type PathStep } from '../trace/field-path.ts';
import type { FieldChange } from '../trace/object-diff.ts';
import type { ViewedDecision } from './trace-view.ts';

type ItemStep = Exclude<PathStep, string | number>;

/** A change of, or inside, a list item that has a name. */
export interface ItemChange {
  readonly list: FieldPath;
  readonly item: ItemStep;
  /** The path inside the item; empty for the item itself. */
  readonly within: FieldPath;
  readonly change: FieldChange;
}

/** The outermost named item of the path; undefined when there is none. */
export function itemChange(change: FieldChange): ItemChange | undefined {
  const at = change.path.findIndex((step) => typeof step === 'object');
  const item = change.path[at];
  if (typeof item !== 'object') return undefined;
  return { list: change.path.slice(0, at), item, within: change.path.slice(at + 1), change };
}

export const isNewItem = ({ within, change }: ItemChange): boolean =>
  within.length === 0 && change.before === undefined;

/** undefined when a step is missing. */
export function valueIn(object: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  let at = object;
  for (const step of path) at = stepInto(at, step);
  return at;
}

function stepInto(value: JsonValue | undefined, step: PathStep): JsonValue | undefined {
  if (typeof step === 'string') return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  if (!isList(value)) return undefined;
  return typeof step === 'number' ? value[step] : value.find((item) => keyValue(item, step.key) === step.value);
}

/** The named items of the list. */
export function itemsAt(object: JsonValue | undefined, path: FieldPath): readonly (readonly [ItemStep, JsonValue])[] {
  const list = valueIn(object, path);
  const key = isList(list) ? listKeyOf([list]) : undefined;
  if (!isList(list) || key === undefined) return [];
  return list.map((item) => [{ key, value: keyValue(item, key) ?? '' }, item]);
}

export const isSamePath = (one: FieldPath, other: FieldPath): boolean =>
  one.length === other.length && isWithin(one, other);

/** Compares from the end: paths mostly differ in their last steps. */
export const isWithin = (path: FieldPath, other: FieldPath): boolean =>
  path.length >= other.length && other.every((_step, at) => isSameStep(path[other.length - 1 - at], other.at(-1 - at)));

function isSameStep(one: PathStep | undefined, other: PathStep | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.value === other.value && one.key === other.key;
}

/** Is the path that of an item of the list, or of a key of the map? */
export const isItemOf = (path: FieldPath, list: FieldPath): boolean =>
  path.length === list.length + 1 && isWithin(path, list);

/** `spec.containers[0].image` of a Status, with items by name: `spec.containers[name=web].image`. */
export function causePath(field: string, object: JsonValue | undefined): FieldPath {
  const path: PathStep[] = [];
  let at = object;
  for (const [, name, bracketed] of field.matchAll(/\.?([^.[\]]+)|\[([^\]]*)(?:\]|$)/g)) {
    const text = name ?? bracketed ?? '';
    path.push(isList(at) ? (itemsAt(at, [])[Number(text)]?.[0] ?? Number(text)) : text);
    at = isList(at) ? at[Number(text)] : isJsonObject(at) ? at[text] : undefined;
  }
  return path;
}

/** The non-empty lists and maps that a patch replaced as a whole. */
export function replacedPaths({ record: decision, states }: ViewedDecision): readonly FieldPath[] {
  if (states === undefined || decision.outcome === 'denied') return [];
  return (decision.patch ?? []).flatMap(({ op, path, value }) => {
    if ((op !== 'replace' && op !== 'add') || typeof value !== 'object' || value === null) return [];
    const list = valueAtPointer(states.before, pointerSteps(asString(path)));
    return list !== undefined && isNonEmpty(list.value) ? [list.path] : [];
  });
}

/** The steps of a JSON pointer (RFC 6901). */
export const pointerSteps = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

interface ValueAtPath {
  readonly path: FieldPath;
  readonly value: JsonValue;
}

/** undefined when the pointer leads nowhere; items by their names. */
export function valueAtPointer(object: JsonValue, steps: readonly string[]): ValueAtPath | undefined {
  const path: PathStep[] = [];
  let at: JsonValue | undefined = object;
  for (const step of steps) {
    path.push(toPathStep(at, step));
    at = isList(at) ? at[Number(step)] : isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined;
    if (at === undefined) return undefined;
  }
  return { path, value: at };
}

function toPathStep(at: JsonValue, step: string): PathStep {
  if (!isList(at)) return step;
  const key = listKeyOf([at]);
  const item = at[Number(step)];
  const value = key === undefined || item === undefined ? undefined : keyValue(item, key);
  return key === undefined || value === undefined ? Number(step) : { key, value };
}

const isNonEmpty = (value: JsonValue): boolean =>
  isList(value) ? value.length > 0 : isJsonObject(value) && Object.keys(value).length > 0;
