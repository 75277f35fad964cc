import { type JsonDocument, JsonNumber } from '../json/json.ts';
import { JsonLiteral, type JsonPatch, notString, type PatchNode, type PatchOperation } from './json-patch-decode.ts';
import {
  addAt,
  findOwnPlace,
  findPlace,
  isPatchContainer,
  isPatchList,
  type ObjectNode,
  type PatchDraft,
  readPlace,
  removeAt,
  setPlace,
  withoutLiterals,
} from './json-patch-draft.ts';
import { maxBodyValues } from '../json/body-limits.ts';
import { writeJsonForGo } from '../json/json-writer.ts';
import { byteLength } from '../meta/names.ts';

export type PatchOutcome =
  | { readonly outcome: 'patched'; readonly document: JsonDocument }
  /** `isTest`: a `test` operation found another value. */
  | { readonly outcome: 'failed'; readonly error: string; readonly isTest?: true }
  /** Upstream's engine uses a nil pointer here; `value` is what its recover finds. */
  | { readonly outcome: 'panicked'; readonly value: string };

type Fault = Exclude<PatchOutcome, { readonly outcome: 'patched' }>;

/**
 * The document after all operations of the patch, or why the first one that does not apply fails. Shares unchanged
 * parts with the input. Follows gopkg.in/evanphx/json-patch.v4 patch.go (rules JP-1 to JP-12), which is not quite RFC
 * 6902: negative indices, replace of a missing member, test of a missing member against null.
 */
export function applyJsonPatch(document: JsonDocument, patch: JsonPatch): PatchOutcome {
  const draft: PatchDraft = { root: document, owned: new Map(), copied: 0, copiedValues: 0 };
  for (const operation of patch.operations) {
    const fault = apply(draft, operation);
    if (fault) return fault;
  }
  return { outcome: 'patched', document: isClean(draft.root, patch) ? draft.root : withoutLiterals(draft.root) };
}

const isClean = (_root: PatchNode, patch: JsonPatch): _root is JsonDocument => !patch.hasLiterals;

const copyLimit = 3 * 1024 * 1024; // Rule MUT-12.
const missing = 'missing value';

function apply(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const kind = textOf(operation, 'op') ?? 'unknown';
  switch (kind) {
    case 'add':
      return add(draft, operation);
    case 'remove':
      return remove(draft, operation);
    case 'replace':
      return replace(draft, operation);
    case 'move':
      return move(draft, operation);
    case 'copy':
      return copy(draft, operation);
    case 'test':
      return test(draft, operation);
    default:
      return failed(`Unexpected kind: ${kind}`);
  }
}

function add(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const path = textOf(operation, 'path');
  if (path === undefined) return failed(`add operation failed to decode path: ${missing}`);
  const place = findOwnPlace(draft, path);
  if (!place) return failed(`add operation does not apply: doc is missing path: "${path}": ${missing}`);
  return failedAt(`error in add for path: '${path}'`, addAt(place, operation['value'] ?? null));
}

function remove(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const path = textOf(operation, 'path');
  if (path === undefined) return failed(`remove operation failed to decode path: ${missing}`);
  const place = findOwnPlace(draft, path);
  if (!place) return failed(`remove operation does not apply: doc is missing path: "${path}": ${missing}`);
  return failedAt(`error in remove for path: '${path}'`, removeAt(place));
}

function replace(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const path = textOf(operation, 'path');
  if (path === undefined) return failed(`replace operation failed to decode path: ${pathFault(operation)}`);
  const { value } = operation;
  if (path === '') return replaceRoot(draft, value);
  const place = findOwnPlace(draft, path);
  if (!place) return failed(`replace operation does not apply: doc is missing path: ${path}: ${missing}`);
  if (readPlace(place).error !== undefined) {
    return failed(`replace operation does not apply: doc is missing key: ${path}: ${missing}`);
  }
  setPlace(place, value ?? null);
  return undefined;
}

function replaceRoot(draft: PatchDraft, value: PatchNode | undefined): Fault | undefined {
  if (value === undefined) return nilDereference;
  // The ending is how Go prints a nil error.
  if (!isPatchContainer(value)) return failed('replace operation value must be object or array: %!w(<nil>)');
  draft.root = value;
  return undefined;
}

function move(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const from = textOf(operation, 'from');
  if (from === undefined) return failed(`move operation failed to decode from: ${fromFault(operation)}`);
  const source = findOwnPlace(draft, from);
  if (!source) return failed(`move operation does not apply: doc is missing from path: ${from}: ${missing}`);
  const { value, error } = readPlace(source);
  const fault = failedAt(`error in move for path: '${source.key}'`, error ?? removeAt(source));
  if (fault) return fault;
  const path = textOf(operation, 'path');
  if (path === undefined) return failed(`move operation failed to decode path: ${pathFault(operation)}`);
  const place = findOwnPlace(draft, path);
  if (!place) return failed(`move operation does not apply: doc is missing destination path: ${path}: ${missing}`);
  return failedAt(`error in move for path: '${path}'`, addAt(place, value ?? null));
}

function copy(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const from = textOf(operation, 'from');
  if (from === undefined) return failed(`copy operation failed to decode from: ${fromFault(operation)}`);
  const source = findPlace(draft, from);
  if (!source) return failed(`copy operation does not apply: doc is missing from path: ${from}: ${missing}`);
  const found = readPlace(source);
  if (found.error !== undefined) return failed(`error in copy for from: '${from}': ${found.error}`);
  const path = textOf(operation, 'path');
  if (path === undefined) return failed(`copy operation failed to decode path: ${missing}`);
  const place = findOwnPlace(draft, path);
  if (!place) return failed(`copy operation does not apply: doc is missing destination path: ${path}: ${missing}`);
  const value = withoutLiterals(found.value ?? null); // A deep copy: later operations must not change both.

  draft.copied += value === null ? 0 : byteLength(writeJsonForGo(value));
  if (draft.copied > copyLimit) return failed(copyTooLarge(draft.copied));
  draft.copiedValues += countValues(value);
  if (draft.copiedValues > maxBodyValues) return failed(`kadmit copies at most ${maxBodyValues} values`);
  return failedAt('error while adding value during copy', addAt(place, value));
}

function countValues(value: JsonDocument | undefined): number {
  if (!isPatchContainer(value)) return 1;
  let count = 1;
  for (const member of isPatchList(value) ? value : Object.values(value)) count += countValues(member);
  return count;
}

const copyTooLarge = (size: number): string =>
  `Unable to complete the copy, the accumulated size increase of copy is ${size}, exceeding the limit ${copyLimit}`;

function test(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const path = textOf(operation, 'path');
  if (path === undefined) return failed(`test operation failed to decode path: ${pathFault(operation)}`);
  const { value } = operation;
  if (path === '') return value === undefined ? nilDereference : verdict(compare(draft.root, value), path);
  const place = findPlace(draft, path);
  if (!place) return failed(`test operation does not apply: is missing path: ${path}: ${missing}`);
  const found = readPlace(place);
  if (found.error !== undefined) return failed(`error in test for path: '${path}': ${found.error}`);
  return verdict(compareMembers(found.value ?? null, value ?? null), path);
}

type Comparison = 'equal' | 'different' | 'panic';

function verdict(comparison: Comparison, path: string): Fault | undefined {
  if (comparison === 'equal') return undefined;
  if (comparison === 'panic') return nilDereference;
  return { outcome: 'failed', error: `testing value ${path} failed: test failed`, isTest: true };
}

/** Containers by structure, scalars by their text (rule JP-7). */
function compare(a: PatchNode, b: PatchNode): Comparison {
  if (!isPatchContainer(a)) return !isPatchContainer(b) && scalarText(a) === scalarText(b) ? 'equal' : 'different';
  if (isPatchList(a)) return isPatchList(b) ? compareLists(a, b) : 'different';
  return isPatchContainer(b) && !isPatchList(b) ? compareObjects(a, b) : 'different';
}

function compareObjects(a: ObjectNode, b: ObjectNode): Comparison {
  const fields = Object.keys(a);
  if (fields.length !== Object.keys(b).length) return 'different';
  for (const field of fields) {
    if (!Object.hasOwn(b, field)) return 'different';
    const comparison = compareMembers(a[field] ?? null, b[field] ?? null);
    if (comparison !== 'equal') return comparison;
  }
  return 'equal';
}

function compareMembers(a: PatchNode, b: PatchNode): Comparison {
  if (a === null || b === null) return a === b ? 'equal' : 'different';
  return compare(a, b);
}

/** Upstream forgets that an element may be null. */
function compareLists(a: readonly PatchNode[], b: readonly PatchNode[]): Comparison {
  if (a.length !== b.length) return 'different';
  for (const [index, left] of a.entries()) {
    const right = b[index] ?? null;
    const comparison = left === null || right === null ? 'panic' : compare(left, right);
    if (comparison !== 'equal') return comparison;
  }
  return 'equal';
}

const scalarText = (value: PatchNode): string =>
  value instanceof JsonLiteral || value instanceof JsonNumber ? value.text : writeJsonForGo(withoutLiterals(value));

/** A member that must be a string; undefined when it is missing, null or something else. */
function textOf(operation: PatchOperation, member: 'op' | 'path' | 'from'): string | undefined {
  const value = Object.hasOwn(operation, member) ? operation[member] : undefined;
  if (value instanceof JsonLiteral) return value.value;
  return typeof value === 'string' ? value : undefined;
}

const pathFault = ({ path }: PatchOperation): string => notString(path) ?? `operation missing path field: ${missing}`;
const fromFault = ({ from }: PatchOperation): string => notString(from) ?? `operation, missing from field: ${missing}`;

const failed = (error: string): Fault => ({ outcome: 'failed', error });

const failedAt = (where: string, error: string | undefined): Fault | undefined =>
  error === undefined ? undefined : failed(`${where}: ${error}`);

const nilDereference: Fault = {
  outcome: 'panicked',
  value: 'runtime error: invalid memory address or nil pointer dereference',
};
