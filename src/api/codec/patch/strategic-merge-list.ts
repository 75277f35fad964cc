import { goPrint, goTypeOf } from '../../../machinery/go/go-print.ts';
import { type JsonDocument, type DocumentObject, isDocumentObject } from '../../../machinery/json/json.ts';
import type { PatchField, PatchSchema } from './patch-schema.ts';
import {
  newBadArgument,
  newBadPatchType,
  createValueIndex,
  type Merging,
  hasNoFault,
  newMissingMergeKey,
  equalsInGo,
  type ValueIndex,
} from './strategic-merge-fault.ts';

interface Lists {
  readonly original: readonly JsonDocument[];
  readonly patch: readonly JsonDocument[];
  readonly deletes: boolean;
}

/** Follows apimachinery pkg/util/strategicpatch/patch.go mergeSliceHandler and mergeSlice. */
export function mergeLists(
  merging: Merging,
  { original, patch, deletes }: Lists,
  { strategy, mergeKey, schema }: PatchField,
): readonly JsonDocument[] {
  if (strategy !== 'merge' && !deletes) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  const maps = hasMaps(merging, original, patch);
  if (!hasNoFault(merging)) return original;
  if (maps) return mergeMaps(merging, original, patch, { schema, mergeKey });
  if (deletes) {
    const deleted = createValueIndex(merging, patch);
    return original.filter((value) => deleted.find(value) < 0);
  }
  const all = [...original, ...patch];
  const index = createValueIndex(merging, all);
  const merged = all.filter((value, at) => index.find(value) === at);
  return orderElements(merging, { merged, order: patch, original }, mergeKey);
}

interface Elements {
  readonly schema: PatchSchema;
  readonly mergeKey: string;
}

function mergeMaps(
  merging: Merging,
  originalList: readonly JsonDocument[],
  patchList: readonly JsonDocument[],
  { schema, mergeKey }: Elements,
): readonly JsonDocument[] {
  if (mergeKey === '') {
    const kind = schema.is === 'struct' ? 'struct' : schema.kind;
    merging.fault ??= { outcome: 'failed', error: `cannot merge lists without merge key for ${kind}` };
    return originalList;
  }
  const objects = { original: originalList.filter(isDocumentObject), patch: patchList.filter(isDocumentObject) };
  const { original, patch } = applyElementDirectives(merging, objects, mergeKey);
  const merged = mergeElements(merging, { original, patch }, { schema, mergeKey });
  return hasNoFault(merging) ? orderElements(merging, { merged, order: patch, original }, mergeKey) : merged;
}

function mergeElements(
  merging: Merging,
  { original, patch }: ObjectLists,
  { schema, mergeKey }: Elements,
): readonly DocumentObject[] {
  const index = indexByKey(merging, original, mergeKey);
  const merged = [...original];
  for (const element of patch) {
    if (!Object.hasOwn(element, mergeKey)) merging.fault ??= newMissingMergeKey(element, mergeKey);
    if (!hasNoFault(merging)) break;
    const at = index.find(element[mergeKey] ?? null);
    const current = merged[at];
    if (!current) {
      merged.push(element);
      index.add(element[mergeKey] ?? null, merged.length - 1);
      continue;
    }
    merged[at] = merging.mergeObjects(merging, current, element, schema);
    // A null key was removed: the next element with one is new.
    if (element[mergeKey] === null) index.remove(null);
  }
  return merged;
}

function indexByKey(merging: Merging, elements: readonly DocumentObject[], mergeKey: string): ValueIndex {
  const index = createValueIndex(merging);
  for (const [at, element] of elements.entries()) {
    if (Object.hasOwn(element, mergeKey)) index.add(element[mergeKey] ?? null, at);
  }
  return index;
}

interface ObjectLists {
  readonly original: readonly DocumentObject[];
  readonly patch: readonly DocumentObject[];
}

/** Applies the elements with a `$patch` and returns the remaining ones. */
function applyElementDirectives(merging: Merging, lists: ObjectLists, mergeKey: string): ObjectLists {
  const index = indexByKey(merging, lists.original, mergeKey);
  const { deleted, replace } = readDirectives(merging, lists.patch, { places: index, mergeKey });
  const patch = lists.patch.filter((element) => !Object.hasOwn(element, '$patch'));
  if (replace) return { original: patch, patch: [] };
  const isRemaining = (element: DocumentObject): boolean =>
    !Object.hasOwn(element, mergeKey) || deleted.find(element[mergeKey] ?? null) < 0;
  return { original: lists.original.filter(isRemaining), patch };
}

function readDirectives(
  merging: Merging,
  patch: readonly DocumentObject[],
  { places: index, mergeKey }: { readonly places: ValueIndex; readonly mergeKey: string },
): { readonly deleted: ValueIndex; readonly replace: boolean } {
  const deleted = createValueIndex(merging);
  let replace = false;
  for (const element of patch) {
    if (!Object.hasOwn(element, '$patch')) continue;
    if (element['$patch'] === 'replace') replace = true;
    else merging.fault ??= checkDeletion(element, mergeKey);
    const key = element[mergeKey] ?? null;
    if (element['$patch'] === 'delete' && index.find(key) >= 0) deleted.add(key, 0);
  }
  return { deleted, replace };
}

function checkDeletion(element: DocumentObject, mergeKey: string): Merging['fault'] {
  const directive = element['$patch'] ?? null;
  if (directive === 'merge') return { outcome: 'failed', error: 'merging lists cannot yet be specified in the patch' };
  if (directive !== 'delete') return newBadPatchType(directive, element);
  return Object.hasOwn(element, mergeKey) ? undefined : newMissingMergeKey(element, mergeKey);
}

interface OrderedLists {
  readonly original: readonly JsonDocument[] | undefined;
  readonly patch: readonly JsonDocument[] | undefined;
  readonly order: readonly JsonDocument[];
}

/** undefined when neither side has the list. Follows mergePatchIntoOriginal. */
export function mergeInOrder(
  merging: Merging,
  { original, patch, order }: OrderedLists,
  field: PatchField,
): readonly JsonDocument[] | undefined {
  checkElementOrder(merging, patch ?? [], order, field.mergeKey);
  if (!hasNoFault(merging)) return undefined;
  const merged =
    original && patch ? mergeLists(merging, { original, patch, deletes: false }, field) : (original ?? patch);
  if (!merged) return undefined;
  hasMaps(merging, original ?? [], patch ?? []);
  if (!hasNoFault(merging)) return undefined;
  return orderElements(merging, { merged, order, original: original ?? [] }, field.mergeKey);
}

interface ElementOrder {
  readonly merged: readonly JsonDocument[];
  readonly order: readonly JsonDocument[];
  readonly original: readonly JsonDocument[];
}

/**
 * Elements of `order` in that order, with the rest between them in original order; a new element precedes the next of
 * the rest. Follows apimachinery pkg/util/strategicpatch/patch.go normalizeElementOrder.
 */
function orderElements(
  merging: Merging,
  { merged, order, original }: ElementOrder,
  mergeKey: string,
): readonly JsonDocument[] {
  const inOrder = createIndexLookup(merging, order, mergeKey);
  const inOriginal = createIndexLookup(merging, original, mergeKey);
  const index = merged.map((element) => ({ element, order: inOrder(element), original: inOriginal(element) }));
  const listed = index.filter((ranked) => ranked.order >= 0).toSorted((a, b) => a.order - b.order);
  const rest = index.filter((ranked) => ranked.order < 0).toSorted((a, b) => a.original - b.original);
  return interleave(rest, listed).map(({ element }) => element);
}

interface RankedElement {
  readonly element: JsonDocument;
  readonly order: number;
  readonly original: number;
}

/** An unlisted element goes first only if both are in the original list and it precedes there. */
function interleave(rest: readonly RankedElement[], listed: readonly RankedElement[]): readonly RankedElement[] {
  const all: RankedElement[] = [];
  let next = 0;
  for (const ranked of listed) {
    for (let other = rest[next]; other && isBefore(other, ranked); other = rest[next]) {
      all.push(other);
      next += 1;
    }
    all.push(ranked);
  }
  return [...all, ...rest.slice(next)];
}

const isBefore = (a: RankedElement, b: RankedElement): boolean =>
  a.original >= 0 && b.original >= 0 && a.original < b.original;

/** By merge key, or by value without one; -1 when absent. */
function createIndexLookup(
  merging: Merging,
  list: readonly JsonDocument[],
  mergeKey: string,
): (element: JsonDocument) => number {
  const index = createValueIndex(
    merging,
    list.map((element) => mergeKeyValue(merging, element, mergeKey)),
  );
  return (element) => index.find(mergeKeyValue(merging, element, mergeKey));
}

function mergeKeyValue(merging: Merging, element: JsonDocument, mergeKey: string): JsonDocument {
  if (mergeKey === '') return element;
  if (!isDocumentObject(element)) {
    merging.fault ??= newBadArgument('map[string]interface {}', element);
    return null;
  }
  if (!Object.hasOwn(element, mergeKey)) merging.fault ??= newMissingMergeKey(element, mergeKey);
  return element[mergeKey] ?? null;
}

/** Elements of the patch must follow `$setElementOrder`, except deletions. */
function checkElementOrder(
  merging: Merging,
  patch: readonly JsonDocument[],
  order: readonly JsonDocument[],
  mergeKey: string,
): void {
  if (patch.length === 0 || order.length === 0) return;
  const ordered = patch.filter((element) => !isDocumentObject(element) || !Object.hasOwn(element, '$patch'));
  let next = 0;
  for (const element of order) {
    const current = ordered[next];
    if (current === undefined || !hasNoFault(merging)) break;
    const [left, right] = [mergeKeyValue(merging, current, mergeKey), mergeKeyValue(merging, element, mergeKey)];
    if (hasNoFault(merging) && equalsInGo(merging, left, right)) next += 1;
  }
  if (next === ordered.length) return;
  const error = `The order in patch list:\n${goPrint(patch)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`;
  merging.fault ??= { outcome: 'failed', error };
}

/** Elements must have one Go type that is not a list. Follows sliceElementType. */
function hasMaps(merging: Merging, original: readonly JsonDocument[], patch: readonly JsonDocument[]): boolean {
  const all = [...original, ...patch];
  const types = all.map(goTypeOf);
  const [type] = types;
  if (type === undefined) {
    merging.fault ??=
      all.length === 0
        ? { outcome: 'failed', error: 'no elements in any of the given slices' }
        : { outcome: 'panicked', value: 'runtime error: invalid memory address or nil pointer dereference' };
  } else if (type.startsWith('[]')) {
    merging.fault ??= { outcome: 'failed', code: 422, error: 'lists of lists are not supported' };
  } else if (types.some((other) => other !== type)) {
    const error = `list element types are not identical: ${goPrint([original, patch])}`;
    merging.fault ??= { outcome: 'failed', error };
  }
  return type === 'map[string]interface {}';
}
