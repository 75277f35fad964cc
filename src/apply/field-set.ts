import { copyOf } from '../apimachinery/copy-in-turns.ts';
import { fieldsInTurns } from '../apimachinery/fields-in-turns.ts';
import { hasManyNames, namesOf } from '../apimachinery/field-names.ts';
import { forEachInTurns, isInTurns } from '../apimachinery/in-turns.ts';

/**
 * A set of field paths in the form in which managedFields shows it: `{"f:data":{".":{},"f:a":{}}}`. A path is a member
 * when it ends in an empty object or in one with a `"."`. Sets are values: operations share what they can.
 * Follows structured-merge-diff fieldpath/set.go and serialize.go.
 */
export interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** The same while it is being made. */
export interface FieldSetDraft {
  [element: string]: FieldSet;
}

/** A member without members below it. Of a whole set: the empty one. */
export const leaf: FieldSet = Object.freeze({});

export const isLeaf = (node: FieldSet): boolean => {
  // The loop below looks at all elements before it takes the first.
  if (node['.'] !== undefined || hasManyNames(node)) return false;
  for (const _element in node) return false;
  return true;
};

export const isMember = (node: FieldSet | undefined): boolean =>
  node !== undefined && (node['.'] !== undefined || isLeaf(node));

/** The node for a path that is a member or not, with what is below it; undefined when nothing is left. One that was made with its `"."` stays. */
export function nodeOf(member: boolean, below: FieldSet | undefined): FieldSet | undefined {
  if (below === undefined || isLeaf(below)) return member ? leaf : undefined;
  return member && below['.'] === undefined ? { '.': leaf, ...below } : below;
}

/**
 * Calls `round` for every element of a node, '.' included; one of tens of thousands may be left in between, when the work
 * is done in turns.
 */
function forEachElement<S extends object>(
  node: FieldSet,
  start: () => S,
  round: (state: S, element: string) => void,
): S {
  return forEachInTurns(namesOf(node), start, round);
}

/** A node of what is left of each element below another: nodes of tens of thousands of elements are copied once. */
function nodeFrom(
  member: boolean,
  node: FieldSet,
  left: (element: string, below: FieldSet) => FieldSet | undefined,
): FieldSet | undefined {
  const names = namesOf(node);
  if (isInTurns(names.length)) return wideNodeFrom(member, node, left);
  const rest: FieldSetDraft = member ? { '.': leaf } : {};
  let isEmpty = true;
  for (const element of names) {
    const inner = element === '.' ? undefined : left(element, node[element] ?? leaf);
    if (inner === undefined) continue;
    rest[element] = inner;
    isEmpty = false;
  }
  if (!isEmpty) return rest;
  return member ? leaf : undefined;
}

/** The same for a node that may be wide, whose elements are then known to whoever goes through it. */
function wideNodeFrom(
  member: boolean,
  node: FieldSet,
  left: (element: string, below: FieldSet) => FieldSet | undefined,
): FieldSet | undefined {
  const elements = node['.'] === undefined ? namesOf(node) : ['.', ...namesOf(node).filter(isElement)];
  const rest = fieldsInTurns(elements, (element) => {
    if (element === '.') return member ? leaf : undefined;
    return left(element, node[element] ?? leaf);
  });
  if (hasManyNames(rest) || namesOf(rest).some(isElement)) return rest;
  return member ? leaf : undefined;
}

const isElement = (element: string): boolean => element !== '.';

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isLeaf(b)) return a;
  if (isLeaf(a)) return b;
  return forEachElement(b, copyOf(a), (all, element) => addElement(all, element, b[element] ?? leaf));
}

function addElement(all: FieldSetDraft, element: string, other: FieldSet): void {
  const mine = all[element];
  all[element] = mine === undefined ? other : nodeUnion(mine, other);
}

function nodeUnion(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || (isLeaf(b) && isMember(a))) return a;
  if (isLeaf(a) && isMember(b)) return b;
  return forEachElement(b, isMember(a) || isMember(b) ? dottedCopyOf(a) : copyOf(a), (all, element) => {
    if (element !== '.') addElement(all, element, b[element] ?? leaf);
  });
}

function dottedCopyOf(node: FieldSet): () => FieldSetDraft {
  const copy = copyOf(node);
  return () => (hasManyNames(node) ? Object.assign(copy(), { '.': leaf }) : { '.': leaf, ...node });
}

/** What is left of the elements of a set, each as `left` says. */
function setFrom(set: FieldSet, left: (element: string, below: FieldSet) => FieldSet | undefined): FieldSet {
  return fieldsInTurns(namesOf(set), (element) => left(element, set[element] ?? leaf));
}

/** `a` without the members of `b`. What is below a member of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(b)) return a;
  return setFrom(a, (element, mine) => {
    const other = b[element];
    return other === undefined ? mine : nodeDifference(mine, other);
  });
}

const nodeDifference = (a: FieldSet, b: FieldSet): FieldSet | undefined =>
  nodeFrom(isMember(a) && !isMember(b), a, (element, mine) => {
    const other = b[element];
    return other === undefined ? mine : nodeDifference(mine, other);
  });

/** `a` without the members of `b` and whatever is below them. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(b)) return a;
  return setFrom(a, (element, mine) => {
    const other = b[element];
    return other === undefined ? mine : nodeRecursiveDifference(mine, other);
  });
}

function nodeRecursiveDifference(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isMember(b)) return undefined;
  return nodeFrom(isMember(a), a, (element, mine) => {
    const other = b[element];
    return other === undefined ? mine : nodeRecursiveDifference(mine, other);
  });
}

/** What is a member of both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(b)) return leaf;
  return setFrom(a, (element, mine) => {
    const other = b[element];
    return other === undefined ? undefined : nodeIntersection(mine, other);
  });
}

const nodeIntersection = (a: FieldSet, b: FieldSet): FieldSet | undefined =>
  nodeFrom(isMember(a) && isMember(b), a, (element, mine) => {
    const other = b[element];
    return other === undefined ? undefined : nodeIntersection(mine, other);
  });

/** The set that has one path and nothing else. */
export const pathSet = (elements: readonly string[]): FieldSet =>
  elements.reduceRight((below, element) => ({ [element]: below }), leaf);

/** Is there an item in it that has none of the fields by which items of its list are told apart? */
export function hasNamelessItems(set: FieldSet): boolean {
  const start = (): { yes: boolean } => ({ yes: false });
  return forEachElement(set, start, (state, element) => {
    state.yes ||= element === 'k:{}' || hasNamelessItems(set[element] ?? leaf);
  }).yes;
}
