import { mapFields } from '../../machinery/meta/object.ts';

/**
 * Field paths as in managedFields: `{"f:data":{".":{},"f:a":{}}}`. A path is a member if it ends in `{}` or contains
 * `"."`. Immutable. Follows structured-merge-diff fieldpath/set.go and serialize.go.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

export interface FieldSetDraft {
  [element: string]: FieldSet;
}

/** A member without members below it; as a whole set, the empty set. */
export const leaf: FieldSet = Object.freeze({});

export const isLeaf = (node: FieldSet): boolean => {
  if (node['.'] !== undefined) return false;
  for (const _element in node) return false;
  return true;
};

export const isMember = (node: FieldSet | undefined): boolean =>
  node !== undefined && (node['.'] !== undefined || isLeaf(node));

/** undefined when nothing is left. */
export function createNode(member: boolean, below: FieldSet | undefined): FieldSet | undefined {
  if (below === undefined || isLeaf(below)) return member ? leaf : undefined;
  return member && below['.'] === undefined ? { '.': leaf, ...below } : below;
}

function filterNode(
  member: boolean,
  node: FieldSet,
  select: (element: string, below: FieldSet) => FieldSet | undefined,
): FieldSet | undefined {
  const selected: FieldSetDraft = member ? { '.': leaf } : {};
  let isEmpty = true;
  for (const element of Object.keys(node)) {
    const inner = element === '.' ? undefined : select(element, node[element] ?? leaf);
    if (inner === undefined) continue;
    selected[element] = inner;
    isEmpty = false;
  }
  if (!isEmpty) return selected;
  return member ? leaf : undefined;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isLeaf(b)) return a;
  if (isLeaf(a)) return b;
  const all: FieldSetDraft = { ...a };
  for (const element of Object.keys(b)) addElement(all, element, b[element] ?? leaf);
  return all;
}

function addElement(all: FieldSetDraft, element: string, other: FieldSet): void {
  const child = all[element];
  all[element] = child === undefined ? other : nodeUnion(child, other);
}

function nodeUnion(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || (isLeaf(b) && isMember(a))) return a;
  if (isLeaf(a) && isMember(b)) return b;
  const all: FieldSetDraft = isMember(a) || isMember(b) ? { '.': leaf, ...a } : { ...a };
  for (const element of Object.keys(b)) if (element !== '.') addElement(all, element, b[element] ?? leaf);
  return all;
}

function filterSet(set: FieldSet, select: (element: string, below: FieldSet) => FieldSet | undefined): FieldSet {
  return mapFields(Object.keys(set), (element) => select(element, set[element] ?? leaf));
}

/** `a` without the members of `b`, except what is below them. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(b)) return a;
  return filterSet(a, (element, child) => {
    const other = b[element];
    return other === undefined ? child : nodeDifference(child, other);
  });
}

const nodeDifference = (a: FieldSet, b: FieldSet): FieldSet | undefined =>
  filterNode(isMember(a) && !isMember(b), a, (element, child) => {
    const other = b[element];
    return other === undefined ? child : nodeDifference(child, other);
  });

/** `a` without the members of `b` and what is below them. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(b)) return a;
  return filterSet(a, (element, child) => {
    const other = b[element];
    return other === undefined ? child : nodeRecursiveDifference(child, other);
  });
}

function nodeRecursiveDifference(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isMember(b)) return undefined;
  return filterNode(isMember(a), a, (element, child) => {
    const other = b[element];
    return other === undefined ? child : nodeRecursiveDifference(child, other);
  });
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(b)) return leaf;
  return filterSet(a, (element, child) => {
    const other = b[element];
    return other === undefined ? undefined : nodeIntersection(child, other);
  });
}

const nodeIntersection = (a: FieldSet, b: FieldSet): FieldSet | undefined =>
  filterNode(isMember(a) && isMember(b), a, (element, child) => {
    const other = b[element];
    return other === undefined ? undefined : nodeIntersection(child, other);
  });

export const createPathSet = (elements: readonly string[]): FieldSet =>
  elements.reduceRight((below, element) => ({ [element]: below }), leaf);

/** `k:{}`: an item without any of its merge keys. */
export const hasNamelessItems = (set: FieldSet): boolean =>
  Object.keys(set).some((element) => element === 'k:{}' || hasNamelessItems(set[element] ?? leaf));

/** Fields without owner. Follows apimachinery pkg/util/managedfields/internal/stripmeta.go. */
const stripMeta: FieldSet = [
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((field) => ['f:metadata', `f:${field}`]),
]
  .map(createPathSet)
  .reduce(union);

export const withoutMeta = (fields: FieldSet): FieldSet => difference(fields, stripMeta);
