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
  if (node['.'] !== undefined) return false; // The loop below looks at all elements before it takes the first.
  for (const _element in node) return false;
  return true;
};

export const isMember = (node: FieldSet | undefined): boolean =>
  node !== undefined && (node['.'] !== undefined || isLeaf(node));

/** The node for a path that is a member or not, with what is below it; undefined when nothing is left. */
export function nodeOf(member: boolean, below: FieldSet | undefined): FieldSet | undefined {
  if (below === undefined || isLeaf(below)) return member ? leaf : undefined;
  return member ? { '.': leaf, ...below } : below;
}

/** A node of what is left of each element below another: nodes of tens of thousands of elements are copied once. */
function nodeFrom(
  member: boolean,
  node: FieldSet,
  left: (element: string, below: FieldSet) => FieldSet | undefined,
): FieldSet | undefined {
  const rest: FieldSetDraft = member ? { '.': leaf } : {};
  let isEmpty = true;
  for (const element in node) {
    if (element === '.') continue;
    const kept = left(element, node[element] ?? leaf);
    if (kept === undefined) continue;
    rest[element] = kept;
    isEmpty = false;
  }
  if (isEmpty) return member ? leaf : undefined;
  return rest;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isLeaf(b)) return a;
  if (isLeaf(a)) return b;
  const all: FieldSetDraft = { ...a };
  for (const element in b) {
    const [mine, other] = [all[element], b[element] ?? leaf];
    all[element] = mine === undefined ? other : nodeUnion(mine, other);
  }
  return all;
}

function nodeUnion(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || (isLeaf(b) && isMember(a))) return a;
  if (isLeaf(a) && isMember(b)) return b;
  const all: FieldSetDraft = isMember(a) || isMember(b) ? { '.': leaf, ...a } : { ...a };
  for (const element in b) {
    if (element === '.') continue;
    const [mine, other] = [all[element], b[element] ?? leaf];
    all[element] = mine === undefined ? other : nodeUnion(mine, other);
  }
  return all;
}

/** `a` without the members of `b`. What is below a member of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(b)) return a;
  const rest: FieldSetDraft = {};
  for (const element in a) {
    const [mine, other] = [a[element] ?? leaf, b[element]];
    const left = other === undefined ? mine : nodeDifference(mine, other);
    if (left !== undefined) rest[element] = left;
  }
  return rest;
}

const nodeDifference = (a: FieldSet, b: FieldSet): FieldSet | undefined =>
  nodeFrom(isMember(a) && !isMember(b), a, (element, mine) => {
    const other = b[element];
    return other === undefined ? mine : nodeDifference(mine, other);
  });

/** `a` without the members of `b` and whatever is below them. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (isLeaf(b)) return a;
  const rest: FieldSetDraft = {};
  for (const element in a) {
    const [mine, other] = [a[element] ?? leaf, b[element]];
    const left = other === undefined ? mine : nodeRecursiveDifference(mine, other);
    if (left !== undefined) rest[element] = left;
  }
  return rest;
}

function nodeRecursiveDifference(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isMember(b)) return undefined;
  return nodeFrom(isMember(a), a, (element, mine) => {
    const other = b[element];
    return other === undefined ? mine : nodeRecursiveDifference(mine, other);
  });
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const both: FieldSetDraft = {};
  for (const element in a) {
    const [mine, other] = [a[element] ?? leaf, b[element]];
    if (other === undefined) continue;
    const left = nodeIntersection(mine, other);
    if (left !== undefined) both[element] = left;
  }
  return both;
}

const nodeIntersection = (a: FieldSet, b: FieldSet): FieldSet | undefined =>
  nodeFrom(isMember(a) && isMember(b), a, (element, mine) => {
    const other = b[element];
    return other === undefined ? undefined : nodeIntersection(mine, other);
  });

/** The set that has one path and nothing else. */
export const pathSet = (elements: readonly string[]): FieldSet =>
  elements.reduceRight((below, element) => ({ [element]: below }), leaf);
