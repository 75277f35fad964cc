import { atoi } from '../go/strconv.ts';
import { type JsonDocument, JsonNumber, setOwn } from '../json/json.ts';
import { JsonLiteral, type PatchNode } from './json-patch-decode.ts';

/** The document while a patch is applied. `owned` has the containers made here, which may be changed in target. */
export interface PatchDraft {
  root: PatchNode;
  readonly owned: Map<object, OwnContainer>;
  /** Bytes that copy operations have added so far. */
  copied: number;
  /** How many values these were. */
  copiedValues: number;
}

export type ObjectNode = { readonly [field: string]: PatchNode | undefined };
type ContainerNode = readonly PatchNode[] | ObjectNode;
type OwnContainer = PatchNode[] | Record<string, PatchNode | undefined>;

/** A member of an object, or an element or end of a list. */
export interface PointerTarget {
  readonly parent: ContainerNode;
  readonly key: string;
}

interface OwnedTarget {
  readonly parent: OwnContainer;
  readonly key: string;
}

/** The target of a JSON pointer; undefined when one of its parents is no container (rules JP-1 and JP-2). */
export function resolvePointer(draft: PatchDraft, path: string): PointerTarget | undefined {
  const tokens = pointerTokens(path);
  let { value: key } = tokens.next();
  let parent = draft.root;
  for (const next of tokens) {
    if (key === undefined || !isPatchContainer(parent)) return undefined;
    parent = getAt({ parent, key }).value ?? null;
    key = next;
  }
  return key !== undefined && isPatchContainer(parent) ? { parent, key } : undefined;
}

/** The same, with a copy of every container on the path, so that the parent may be changed. */
export function resolveForWrite(draft: PatchDraft, path: string): OwnedTarget | undefined {
  const tokens = pointerTokens(path);
  let { value: key } = tokens.next();
  if (key === undefined || !isPatchContainer(draft.root)) return undefined;
  let parent = copyOnWrite(draft, draft.root);
  draft.root = parent;
  for (const next of tokens) {
    const target = { parent, key };
    const value = getAt(target).value ?? null;
    if (!isPatchContainer(value)) return undefined;
    parent = copyOnWrite(draft, value);
    if (parent !== value) setAt(target, parent);
    key = next;
  }
  return { parent, key };
}

/** Decoded on demand: most long pointers fail early. Ignores everything before the first slash. */
function* pointerTokens(path: string): Generator<string, undefined> {
  for (let slash = path.indexOf('/'); slash >= 0;) {
    const end = path.indexOf('/', slash + 1);
    const token = path.slice(slash + 1, end < 0 ? undefined : end);
    yield token.includes('~') ? token.replaceAll(/~[01]/g, (pair) => (pair === '~1' ? '/' : '~')) : token;
    slash = end;
  }
  return undefined;
}

function copyOnWrite(draft: PatchDraft, container: ContainerNode): OwnContainer {
  const ownedContainer = draft.owned.get(container);
  if (ownedContainer) return ownedContainer;
  const copy: OwnContainer = isPatchList(container) ? [...container] : { ...container };
  draft.owned.set(copy, copy);
  return copy;
}

/** The value, undefined for a missing member; the error is that of a list. */
export function getAt({ parent, key }: PointerTarget): {
  readonly value?: PatchNode | undefined;
  readonly error?: string;
} {
  if (!isPatchList(parent)) return { value: Object.hasOwn(parent, key) ? parent[key] : undefined };
  const { index, error } = parseIndex(parent.length, key);
  if (error !== undefined) return { error };
  return index < parent.length ? { value: parent[index] } : { error: invalidIndex(index) };
}

/** Replaces a value that was read, or sets a missing member. */
export function setAt({ parent, key }: OwnedTarget, value: PatchNode): void {
  if (Array.isArray(parent)) parent[parseIndex(parent.length, key).index] = value;
  else setOwn(parent, key, value);
}

/** Adds a member or inserts an element (rule JP-4); returns the error of the index. */
export function addAt({ parent, key }: OwnedTarget, value: PatchNode): string | undefined {
  if (!Array.isArray(parent)) {
    setOwn(parent, key, value);
    return undefined;
  }
  if (key === '-') {
    parent.push(value);
    return undefined;
  }
  const { index, error } = parseIndex(parent.length + 1, key);
  if (error?.startsWith('strconv')) return `value was not a proper array index: '${key}': ${error}`;
  if (error !== undefined) return error;
  if (index > parent.length) return invalidIndex(index);
  parent.splice(index, 0, value);
  return undefined;
}

/** Removes a member or an element (rule JP-6); returns the error of the key. */
export function removeAt(target: OwnedTarget): string | undefined {
  const { parent, key } = target;
  if (!Array.isArray(parent)) {
    if (!Object.hasOwn(parent, key)) return `Unable to remove nonexistent key: ${key}: missing value`;
    delete parent[key];
    return undefined;
  }
  const { error } = getAt(target);
  if (error === undefined) parent.splice(parseIndex(parent.length, key).index, 1);
  return error;
}

/** The index of a key in a list of this length; negative keys count from the end. Does not check the upper bound. */
function parseIndex(length: number, key: string): { readonly index: number; readonly error?: string } {
  const reading = atoi(key);
  if (reading.outcome === 'unparsable') return { index: 0, error: reading.error };
  const index = Number(reading.value);
  if (index >= 0) return { index };
  return index < -length ? { index: 0, error: invalidIndex(index) } : { index: index + length };
}

const invalidIndex = (index: number): string => `Unable to access invalid index: ${index}: invalid index referenced`;

export const isPatchList = (node: PatchNode | ContainerNode | undefined): node is readonly PatchNode[] =>
  Array.isArray(node);

export const isPatchContainer = (node: PatchNode | undefined): node is ContainerNode =>
  typeof node === 'object' && node !== null && !(node instanceof JsonNumber) && !(node instanceof JsonLiteral);

/** The value with its strings as plain strings. */
export function withoutLiterals(node: PatchNode): JsonDocument {
  if (node instanceof JsonLiteral) return node.value;
  if (!isPatchContainer(node)) return node;
  if (isPatchList(node)) return node.map(withoutLiterals);
  const copy: Record<string, JsonDocument> = {};
  for (const [field, value] of Object.entries(node)) setOwn(copy, field, withoutLiterals(value ?? null));
  return copy;
}
