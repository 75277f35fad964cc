import type { JsonDocument } from '../../../machinery/json/json.ts';
import type { PatchField, PatchSchema } from './patch-schema.ts';
import { badPatchType, isObject, noFault, noMergeKey } from './strategic-merge-fault.ts';
import type { DocumentObject, Merging } from './strategic-merge-fault.ts';
import { createValueIndex } from './value-index.ts';
import type { ValueIndex } from './value-index.ts';
import { checkElementOrder, hasMaps, orderElements } from './strategic-merge-order.ts';

interface Lists {
  readonly original: readonly JsonDocument[];
  readonly patch: readonly JsonDocument[];
  /** Is the patch a list of values to delete? */
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
  if (!noFault(merging)) return original;
  if (maps) return mergeMaps(merging, original, patch, { schema, mergeKey });
  if (deletes) {
    const deleted = createValueIndex(merging, patch);
    return original.filter((value) => deleted.find(value) < 0);
  }
  const all = [...original, ...patch];
  const places = createValueIndex(merging, all);
  const merged = all.filter((value, at) => places.find(value) === at);
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
  const objects = { original: originalList.filter(isObject), patch: patchList.filter(isObject) };
  const { original, patch } = withoutSpecial(merging, objects, mergeKey);
  const merged = mergeElements(merging, { original, patch }, { schema, mergeKey });
  return noFault(merging) ? orderElements(merging, { merged, order: patch, original }, mergeKey) : merged;
}

function mergeElements(
  merging: Merging,
  { original, patch }: ObjectLists,
  { schema, mergeKey }: Elements,
): readonly DocumentObject[] {
  const places = indexByKey(merging, original, mergeKey);
  const merged = [...original];
  for (const element of patch) {
    if (!Object.hasOwn(element, mergeKey)) merging.fault ??= noMergeKey(element, mergeKey);
    if (!noFault(merging)) break;
    const at = places.find(element[mergeKey] ?? null);
    const current = merged[at];
    if (!current) {
      merged.push(element);
      places.add(element[mergeKey] ?? null, merged.length - 1);
      continue;
    }
    merged[at] = merging.mergeObjects(merging, current, element, schema);
    // A key that is null is gone now: the next element with one is another.
    if (element[mergeKey] === null) places.remove(null);
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

/** Obeys the elements with a `$patch` and returns what is left to merge. */
function withoutSpecial(merging: Merging, lists: ObjectLists, mergeKey: string): ObjectLists {
  const places = indexByKey(merging, lists.original, mergeKey);
  const { deleted, replace } = directivesIn(merging, lists.patch, { places, mergeKey });
  const patch = lists.patch.filter((element) => !Object.hasOwn(element, '$patch'));
  if (replace) return { original: patch, patch: [] };
  const isKept = (element: DocumentObject): boolean =>
    !Object.hasOwn(element, mergeKey) || deleted.find(element[mergeKey] ?? null) < 0;
  return { original: lists.original.filter(isKept), patch };
}

/** Which keys the elements with a `$patch` delete, and whether one of them replaces the list. */
function directivesIn(
  merging: Merging,
  patch: readonly DocumentObject[],
  { places, mergeKey }: { readonly places: ValueIndex; readonly mergeKey: string },
): { readonly deleted: ValueIndex; readonly replace: boolean } {
  const deleted = createValueIndex(merging);
  let replace = false;
  for (const element of patch) {
    if (!Object.hasOwn(element, '$patch')) continue;
    if (element['$patch'] === 'replace') replace = true;
    else merging.fault ??= deletionFault(element, mergeKey);
    const key = element[mergeKey] ?? null;
    if (element['$patch'] === 'delete' && places.find(key) >= 0) deleted.add(key, 0);
  }
  return { deleted, replace };
}

/** What is wrong with an element that is not to replace the list, unless it deletes one by its key. */
function deletionFault(element: DocumentObject, mergeKey: string): Merging['fault'] {
  const directive = element['$patch'] ?? null;
  if (directive === 'merge') return { outcome: 'failed', error: 'merging lists cannot yet be specified in the patch' };
  if (directive !== 'delete') return badPatchType(directive, element);
  return Object.hasOwn(element, mergeKey) ? undefined : noMergeKey(element, mergeKey);
}

interface OrderedLists {
  readonly original: readonly JsonDocument[] | undefined;
  readonly patch: readonly JsonDocument[] | undefined;
  readonly order: readonly JsonDocument[];
}

/** The list under `$setElementOrder`; undefined when there is none on either side. Follows mergePatchIntoOriginal there. */
export function mergeInOrder(
  merging: Merging,
  { original, patch, order }: OrderedLists,
  field: PatchField,
): readonly JsonDocument[] | undefined {
  checkElementOrder(merging, patch ?? [], order, field.mergeKey);
  if (!noFault(merging)) return undefined;
  const merged =
    original && patch ? mergeLists(merging, { original, patch, deletes: false }, field) : (original ?? patch);
  if (!merged) return undefined;
  hasMaps(merging, original ?? [], patch ?? []);
  if (!noFault(merging)) return undefined;
  return orderElements(merging, { merged, order, original: original ?? [] }, field.mergeKey);
}
