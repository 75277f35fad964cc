import { type JsonObject, type JsonValue, isJsonObject, isList, setOwn } from '../../machinery/json/json.ts';
import { type GroupVersionKind, gvkText, parseApiVersion } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Codec } from '../codec/codec.ts';
import { type CustomKind, createFieldKinds } from './field-kinds.ts';
import { listItemToPathElement } from './path-element.ts';
import { typeErrors } from './type-errors.ts';
import { type ListType, type MapType, type ValueType, deduced } from './value-type.ts';

/**
 * Replaces scalars and atomic values, merges maps and keyed lists. Follows structured-merge-diff typed/merge.go with
 * the rule that keeps the right side.
 */
export function mergeValues(type: ValueType, live: JsonValue, applied: JsonValue): JsonValue {
  if (type.is === 'list') return mergeAsLists(type, live, applied);
  if (type.is === 'map') return type.atomic ? applied : mergeAsMaps(type, live, applied);
  if (type.is === 'deduced' && isJsonObject(live) && isJsonObject(applied)) return mergeMaps(undefined, live, applied);
  return applied;
}

function mergeAsMaps(type: MapType, live: JsonValue, applied: JsonValue): JsonValue {
  const [left, right] = [isJsonObject(live) ? live : {}, isJsonObject(applied) ? applied : {}];
  const isEmpty = Object.keys(left).length === 0 && Object.keys(right).length === 0;
  return isEmpty ? applied : mergeMaps(type, left, right);
}

function mergeMaps(type: MapType | undefined, live: JsonObject, applied: JsonObject): JsonObject {
  const merged: Record<string, JsonValue | undefined> = { ...live };
  for (const [name, value = null] of Object.entries(applied)) {
    const current = Object.hasOwn(live, name) ? live[name] : undefined;
    const fieldType = type?.field(name) ?? deduced;
    setOwn(merged, name, current === undefined ? value : mergeValues(fieldType, current, value));
  }
  return merged;
}

function mergeAsLists(type: ListType, live: JsonValue, applied: JsonValue): JsonValue {
  const [left, right] = [isList(live) ? live : [], isList(applied) ? applied : []];
  if (type.relation === 'atomic' || (left.length === 0 && right.length === 0)) return applied;
  return mergeLists(type, left, right);
}

interface Merge {
  readonly type: ListType;
  readonly left: readonly JsonValue[];
  readonly leftNames: readonly string[];
  readonly rightNames: readonly string[];
  /** undefined for a name that several stored elements share. */
  readonly leftItems: ReadonlyMap<string, JsonValue | undefined>;
  readonly rightItems: ReadonlyMap<string, JsonValue>;
  /** Names in both lists, in applied order; `sharedAt` is the next one. */
  readonly shared: readonly string[];
  readonly done: Set<string>;
  readonly out: JsonValue[];
  sharedAt: number;
  leftAt: number;
  rightAt: number;
}

/** Keeps the stored order, but shared elements take the applied order and new ones their applied position. */
function mergeLists(type: ListType, left: readonly JsonValue[], right: readonly JsonValue[]): JsonValue {
  const leftNames = left.map((item) => listItemToPathElement(item, type));
  const rightNames = right.map((item) => listItemToPathElement(item, type));
  const leftItems = new Map<string, JsonValue | undefined>();
  for (const [at, name] of leftNames.entries()) leftItems.set(name, leftItems.has(name) ? undefined : left[at]);
  const rightItems = new Map(rightNames.map((name, at) => [name, right[at] ?? null]));
  const shared = rightNames.filter((name) => leftItems.has(name));
  const out: JsonValue[] = [];
  const positions = { sharedAt: 0, leftAt: 0, rightAt: 0 };
  const merge: Merge = {
    type,
    left,
    leftNames,
    rightNames,
    leftItems,
    rightItems,
    shared,
    done: new Set(),
    out,
    ...positions,
  };
  while (merge.leftAt < left.length || merge.rightAt < right.length) mergeNext(merge);
  return out.length === 0 ? null : out;
}

function mergeNext(merge: Merge): void {
  const [left, right] = [merge.leftNames[merge.leftAt], merge.rightNames[merge.rightAt]];
  if (left === undefined) return takeAllOfRight(merge, right);
  if (!merge.rightItems.has(left)) {
    merge.out.push(merge.left[merge.leftAt] ?? null);
    merge.leftAt += 1;
    return;
  }
  const isNext = left === right;
  const waits = (merge.shared[merge.sharedAt] ?? left) !== left;
  const isLeftDone = isNext || waits || merge.done.has(left);
  if (!waits) takeAllOfRight(merge, right); // Otherwise the applied order adds it.
  if (isLeftDone) merge.leftAt += 1;
}

function takeAllOfRight(merge: Merge, name: string | undefined): void {
  if (name === undefined) return;
  const { type, leftItems, rightItems, shared, done, out } = merge;
  const [current, applied] = [leftItems.get(name), rightItems.get(name) ?? null];
  const merged = current === undefined ? applied : mergeValues(type.element(), current, applied);
  out.push(merged);
  done.add(name);
  merge.rightAt += 1;
  if (shared[merge.sharedAt] === name) merge.sharedAt += 1;
}

interface ConfigurationMerge {
  readonly live: KubernetesObject;
  readonly configuration: JsonObject;
  /** undefined: the published schema lacks this kind. */
  readonly type: ValueType | undefined;
}

export type ConfigurationMergeResult =
  | { readonly outcome: 'merged'; readonly object: JsonValue }
  | { readonly outcome: 'failed'; readonly error: string };

export function createConfigurationMerger(
  codec: Codec,
  isPublished: (kind: GroupVersionKind) => boolean,
  findCustom: (kind: GroupVersionKind) => CustomKind | undefined,
): (live: KubernetesObject, configuration: JsonObject) => ConfigurationMergeResult {
  const kinds = createFieldKinds(codec, findCustom);
  return (live, configuration) => {
    const { kind, type } = kinds.find(live.apiVersion, live.kind);
    return mergeConfiguration({ live, configuration, type: isPublished(kind) ? type : undefined });
  };
}

/**
 * Merges by the rules of server-side apply, without owners; atomic fields are an error. Follows apiserver
 * pkg/admission/plugin/policy/mutating/patch/smd.go (rule MAP-4).
 */
function mergeConfiguration({ live, configuration, type }: ConfigurationMerge): ConfigurationMergeResult {
  const { apiVersion, kind } = live;
  // Upstream overwrites the kind of the configuration.
  const patch = { ...configuration, apiVersion, kind };
  if (type === undefined) return createConversionFailure(`no corresponding type for ${gvkText(formatGvk(live))}`);
  const error = typeErrors(type, patch);
  if (error !== undefined) return createConversionFailure(error);
  const atomic = collectAtomics(type, patch, '');
  if (atomic.length > 0) {
    return createFailure(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomic.join(', ')}`,
    );
  }
  return { outcome: 'merged', object: mergeValues(type, live, patch) };
}

const formatGvk = ({ apiVersion, kind }: KubernetesObject): GroupVersionKind => ({
  ...parseApiVersion(apiVersion),
  kind,
});

const createFailure = (error: string): ConfigurationMergeResult => ({
  outcome: 'failed',
  error: `error applying patch: ${error}`,
});

const createConversionFailure = (error: string): ConfigurationMergeResult =>
  createFailure(`failed to convert patch object to typed object: ${error}`);

/** Map entries are not searched. */
function collectAtomics(type: ValueType, value: JsonValue, path: string): readonly string[] {
  if (type.is === 'map' && isJsonObject(value)) {
    const inner = Object.keys(value).flatMap((name) =>
      type.declares(name) ? collectAtomics(type.field(name) ?? deduced, value[name] ?? null, `${path}.${name}`) : [],
    );
    return type.atomic ? [path, ...inner] : inner;
  }
  if (type.is !== 'list' || !isList(value)) return [];
  const inner = value.flatMap((item, at) => collectAtomics(type.element(), item, `${path}[${at}]`));
  return type.relation === 'atomic' ? [path, ...inner] : inner;
}
