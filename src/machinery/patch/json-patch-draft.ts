import { goQuote } from '../meta/field-error.ts';
import { type JsonDocument, JsonNumber, setOwn } from '../json/json.ts';
import { JsonLiteral, type PatchNode } from './json-patch-decode.ts';

/** The document while a patch is applied. `owned` has the containers made here, which may be changed in place. */
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
export interface Slot {
  readonly container: ContainerNode;
  readonly key: string;
}

interface OwnSlot {
  readonly container: OwnContainer;
  readonly key: string;
}

/** The slot of a path; undefined when one of its parents is not a container (rules JP-1 and JP-2). */
export function findPlace(draft: PatchDraft, path: string): Slot | undefined {
  const segments = segmentsOf(path);
  let { value: key } = segments.next();
  let container = draft.root;
  for (const after of segments) {
    if (key === undefined || !isPatchContainer(container)) return undefined;
    container = readPlace({ container, key }).value ?? null;
    key = after;
  }
  return key !== undefined && isPatchContainer(container) ? { container, key } : undefined;
}

/** The same, with a copy of every container on the path, so that the last one may be changed. */
export function findOwnPlace(draft: PatchDraft, path: string): OwnSlot | undefined {
  const segments = segmentsOf(path);
  let { value: key } = segments.next();
  if (key === undefined || !isPatchContainer(draft.root)) return undefined;
  let container = own(draft, draft.root);
  draft.root = container;
  for (const after of segments) {
    const place = { container, key };
    const next = readPlace(place).value ?? null;
    if (!isPatchContainer(next)) return undefined;
    container = own(draft, next);
    if (container !== next) setPlace(place, container);
    key = after;
  }
  return { container, key };
}

/** Decoded on demand: most long pointers fail early. Ignores everything before the first slash. */
function* segmentsOf(path: string): Generator<string, undefined> {
  for (let slash = path.indexOf('/'); slash >= 0;) {
    const end = path.indexOf('/', slash + 1);
    const segment = path.slice(slash + 1, end < 0 ? undefined : end);
    yield segment.includes('~') ? segment.replaceAll(/~[01]/g, (pair) => (pair === '~1' ? '/' : '~')) : segment;
    slash = end;
  }
  return undefined;
}

function own(draft: PatchDraft, container: ContainerNode): OwnContainer {
  const ownedContainer = draft.owned.get(container);
  if (ownedContainer) return ownedContainer;
  const copy: OwnContainer = isPatchList(container) ? [...container] : { ...container };
  draft.owned.set(copy, copy);
  return copy;
}

/** The value, undefined for a missing member; the error is that of a list. */
export function readPlace({ container, key }: Slot): {
  readonly value?: PatchNode | undefined;
  readonly error?: string;
} {
  if (!isPatchList(container)) return { value: Object.hasOwn(container, key) ? container[key] : undefined };
  const { index, error } = indexIn(container.length, key);
  if (error !== undefined) return { error };
  return index < container.length ? { value: container[index] } : { error: invalidIndex(index) };
}

/** Replaces a value that was read, or sets a missing member. */
export function setPlace({ container, key }: OwnSlot, value: PatchNode): void {
  if (Array.isArray(container)) container[indexIn(container.length, key).index] = value;
  else setOwn(container, key, value);
}

/** Adds a member or inserts an element (rule JP-4); returns the error of the index. */
export function addAt({ container, key }: OwnSlot, value: PatchNode): string | undefined {
  if (!Array.isArray(container)) {
    setOwn(container, key, value);
    return undefined;
  }
  if (key === '-') {
    container.push(value);
    return undefined;
  }
  const { index, error } = indexIn(container.length + 1, key);
  if (error?.startsWith('strconv')) return `value was not a proper array index: '${key}': ${error}`;
  if (error !== undefined) return error;
  if (index > container.length) return invalidIndex(index);
  container.splice(index, 0, value);
  return undefined;
}

/** Removes a member or an element (rule JP-6); returns the error of the key. */
export function removeAt(place: OwnSlot): string | undefined {
  const { container, key } = place;
  if (!Array.isArray(container)) {
    if (!Object.hasOwn(container, key)) return `Unable to remove nonexistent key: ${key}: missing value`;
    delete container[key];
    return undefined;
  }
  const { error } = readPlace(place);
  if (error === undefined) container.splice(indexIn(container.length, key).index, 1);
  return error;
}

/** The index of a key in a list of this length; negative keys count from the end. Does not check the upper bound. */
function indexIn(length: number, key: string): { readonly index: number; readonly error?: string } {
  const index = Number(key);
  if (!/^[+-]?\d+$/.test(key)) return { index: 0, error: `strconv.Atoi: parsing ${goQuote(key)}: invalid syntax` };
  if (!isInt64(key)) return { index: 0, error: `strconv.Atoi: parsing ${goQuote(key)}: value out of range` };
  if (index >= 0) return { index };
  return index < -length ? { index: 0, error: invalidIndex(index) } : { index: index + length };
}

const isInt64 = (digits: string): boolean =>
  Number.isSafeInteger(Number(digits)) ||
  BigInt.asIntN(64, BigInt(digits.replace('+', ''))) === BigInt(digits.replace('+', ''));

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
