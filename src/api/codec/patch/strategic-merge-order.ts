import { goPrint, goTypeOf } from '../../../machinery/go/go-print.ts';
import type { JsonDocument } from '../../../machinery/json/json.ts';
import { badArgument, isObject, noFault, noMergeKey, sameValue } from './strategic-merge-fault.ts';
import type { Merging } from './strategic-merge-fault.ts';
import { createValueIndex } from './value-index.ts';

/** What `$setElementOrder` says about a list. */
export interface ElementOrder {
  readonly merged: readonly JsonDocument[];
  readonly order: readonly JsonDocument[];
  readonly original: readonly JsonDocument[];
}

/**
 * The merged list in its order: what `order` has, in that order; between it the rest, in the order of the original list.
 * An element that is new stands before the next of the rest.
 * Follows apimachinery pkg/util/strategicpatch/patch.go normalizeElementOrder.
 */
export function orderElements(
  merging: Merging,
  { merged, order, original }: ElementOrder,
  mergeKey: string,
): readonly JsonDocument[] {
  const inOrder = indexIn(merging, order, mergeKey);
  const inOriginal = indexIn(merging, original, mergeKey);
  const places = merged.map((element) => ({ element, order: inOrder(element), original: inOriginal(element) }));
  const listed = places.filter((place) => place.order >= 0).toSorted((a, b) => a.order - b.order);
  const rest = places.filter((place) => place.order < 0).toSorted((a, b) => a.original - b.original);
  return interleaved(rest, listed).map(({ element }) => element);
}

interface Placed {
  readonly element: JsonDocument;
  readonly order: number;
  readonly original: number;
}

/** One of the rest comes first only if both are in the original list and it is in front there. */
function interleaved(rest: readonly Placed[], listed: readonly Placed[]): readonly Placed[] {
  const all: Placed[] = [];
  let next = 0;
  for (const place of listed) {
    for (let other = rest[next]; other && isBefore(other, place); other = rest[next]) {
      all.push(other);
      next += 1;
    }
    all.push(place);
  }
  return [...all, ...rest.slice(next)];
}

const isBefore = (a: Placed, b: Placed): boolean => a.original >= 0 && b.original >= 0 && a.original < b.original;

/** Finds an element by its merge key, or by its value when there is none; -1 when it is not there. */
function indexIn(merging: Merging, list: readonly JsonDocument[], mergeKey: string): (element: JsonDocument) => number {
  const places = createValueIndex(
    merging,
    list.map((element) => keyOf(merging, element, mergeKey)),
  );
  return (element) => places.find(keyOf(merging, element, mergeKey));
}

function keyOf(merging: Merging, element: JsonDocument, mergeKey: string): JsonDocument {
  if (mergeKey === '') return element;
  if (!isObject(element)) {
    merging.fault ??= badArgument('map[string]interface {}', element);
    return null;
  }
  if (!Object.hasOwn(element, mergeKey)) merging.fault ??= noMergeKey(element, mergeKey);
  return element[mergeKey] ?? null;
}

/** Every element of the patch must be in `$setElementOrder`, in the same order; those to delete need not. */
export function checkElementOrder(
  merging: Merging,
  patch: readonly JsonDocument[],
  order: readonly JsonDocument[],
  mergeKey: string,
): void {
  if (patch.length === 0 || order.length === 0) return;
  const wanted = patch.filter((element) => !isObject(element) || !Object.hasOwn(element, '$patch'));
  let next = 0;
  for (const element of order) {
    const current = wanted[next];
    if (current === undefined || !noFault(merging)) break;
    const [left, right] = [keyOf(merging, current, mergeKey), keyOf(merging, element, mergeKey)];
    if (noFault(merging) && sameValue(merging, left, right)) next += 1;
  }
  if (next === wanted.length) return;
  const error = `The order in patch list:\n${goPrint(patch)}\n doesn't match $setElementOrder list:\n${goPrint(order)}\n`;
  merging.fault ??= { outcome: 'failed', error };
}

/** Elements must all be of one Go type, and not lists; is that type a map? Follows sliceElementType. */
export function hasMaps(merging: Merging, original: readonly JsonDocument[], patch: readonly JsonDocument[]): boolean {
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
