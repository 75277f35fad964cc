import { type JsonDocument, JsonNumber } from '../json/json.ts';
import { JsonLiteral, type JsonPatch, notString, type PatchNode, type PatchOperation } from './json-patch-decode.ts';
import {
  addAt,
  resolveForWrite,
  resolvePointer,
  isPatchContainer,
  isPatchList,
  type ObjectNode,
  type PatchDraft,
  getAt,
  removeAt,
  setAt,
  withoutLiterals,
} from './json-patch-draft.ts';
import { countValues, isContainer } from '../json/json-walk.ts';
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
const missingValue = 'missing value';

function apply(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const kind = stringMember(operation, 'op') ?? 'unknown';
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
  const path = stringMember(operation, 'path');
  if (path === undefined) return failed(`add operation failed to decode path: ${missingValue}`);
  const target = resolveForWrite(draft, path);
  if (!target) return failed(`add operation does not apply: doc is missing path: "${path}": ${missingValue}`);
  return failUnless(`error in add for path: '${path}'`, addAt(target, operation['value'] ?? null));
}

function remove(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const path = stringMember(operation, 'path');
  if (path === undefined) return failed(`remove operation failed to decode path: ${missingValue}`);
  const target = resolveForWrite(draft, path);
  if (!target) return failed(`remove operation does not apply: doc is missing path: "${path}": ${missingValue}`);
  return failUnless(`error in remove for path: '${path}'`, removeAt(target));
}

function replace(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const path = stringMember(operation, 'path');
  if (path === undefined) return failed(`replace operation failed to decode path: ${pathError(operation)}`);
  const { value } = operation;
  if (path === '') return replaceRoot(draft, value);
  const target = resolveForWrite(draft, path);
  if (!target) return failed(`replace operation does not apply: doc is missing path: ${path}: ${missingValue}`);
  if (getAt(target).error !== undefined) {
    return failed(`replace operation does not apply: doc is missing key: ${path}: ${missingValue}`);
  }
  setAt(target, value ?? null);
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
  const from = stringMember(operation, 'from');
  if (from === undefined) return failed(`move operation failed to decode from: ${fromError(operation)}`);
  const source = resolveForWrite(draft, from);
  if (!source) return failed(`move operation does not apply: doc is missing from path: ${from}: ${missingValue}`);
  const { value, error } = getAt(source);
  const fault = failUnless(`error in move for path: '${source.key}'`, error ?? removeAt(source));
  if (fault) return fault;
  const path = stringMember(operation, 'path');
  if (path === undefined) return failed(`move operation failed to decode path: ${pathError(operation)}`);
  const target = resolveForWrite(draft, path);
  if (!target)
    return failed(`move operation does not apply: doc is missing destination path: ${path}: ${missingValue}`);
  return failUnless(`error in move for path: '${path}'`, addAt(target, value ?? null));
}

function copy(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const from = stringMember(operation, 'from');
  if (from === undefined) return failed(`copy operation failed to decode from: ${fromError(operation)}`);
  const source = resolvePointer(draft, from);
  if (!source) return failed(`copy operation does not apply: doc is missing from path: ${from}: ${missingValue}`);
  const current = getAt(source);
  if (current.error !== undefined) return failed(`error in copy for from: '${from}': ${current.error}`);
  const path = stringMember(operation, 'path');
  if (path === undefined) return failed(`copy operation failed to decode path: ${missingValue}`);
  const target = resolveForWrite(draft, path);
  if (!target)
    return failed(`copy operation does not apply: doc is missing destination path: ${path}: ${missingValue}`);
  const value = withoutLiterals(current.value ?? null); // A deep copy: later operations must not change both.

  draft.copied += value === null ? 0 : byteLength(writeJsonForGo(value));
  if (draft.copied > copyLimit) return failed(copyTooLarge(draft.copied));
  draft.copiedValues += 1 + (isContainer(value) ? maxBodyValues - countValues(value, maxBodyValues).left : 0);
  if (draft.copiedValues > maxBodyValues) return failed(`kadmit copies at most ${maxBodyValues} values`);
  return failUnless('error while adding value during copy', addAt(target, value));
}

const copyTooLarge = (size: number): string =>
  `Unable to complete the copy, the accumulated size increase of copy is ${size}, exceeding the limit ${copyLimit}`;

function test(draft: PatchDraft, operation: PatchOperation): Fault | undefined {
  const path = stringMember(operation, 'path');
  if (path === undefined) return failed(`test operation failed to decode path: ${pathError(operation)}`);
  const { value } = operation;
  if (path === '') return value === undefined ? nilDereference : toTestFault(compareNodes(draft.root, value), path);
  const target = resolvePointer(draft, path);
  if (!target) return failed(`test operation does not apply: is missing path: ${path}: ${missingValue}`);
  const current = getAt(target);
  if (current.error !== undefined) return failed(`error in test for path: '${path}': ${current.error}`);
  return toTestFault(compareMembers(current.value ?? null, value ?? null), path);
}

type Comparison = 'equal' | 'different' | 'panic';

function toTestFault(comparison: Comparison, path: string): Fault | undefined {
  if (comparison === 'equal') return undefined;
  if (comparison === 'panic') return nilDereference;
  return { outcome: 'failed', error: `testing value ${path} failed: test failed`, isTest: true };
}

/** Containers by structure, scalars by their text (rule JP-7). */
function compareNodes(a: PatchNode, b: PatchNode): Comparison {
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
  return compareNodes(a, b);
}

/** Upstream forgets that an element may be null. */
function compareLists(a: readonly PatchNode[], b: readonly PatchNode[]): Comparison {
  if (a.length !== b.length) return 'different';
  for (const [index, item] of a.entries()) {
    const other = b[index] ?? null;
    const comparison = item === null || other === null ? 'panic' : compareNodes(item, other);
    if (comparison !== 'equal') return comparison;
  }
  return 'equal';
}

const scalarText = (value: PatchNode): string =>
  value instanceof JsonLiteral || value instanceof JsonNumber ? value.text : writeJsonForGo(withoutLiterals(value));

/** A member that must be a string; undefined when it is missing, null or something else. */
function stringMember(operation: PatchOperation, member: 'op' | 'path' | 'from'): string | undefined {
  const value = Object.hasOwn(operation, member) ? operation[member] : undefined;
  if (value instanceof JsonLiteral) return value.value;
  return typeof value === 'string' ? value : undefined;
}

const pathError = ({ path }: PatchOperation): string =>
  notString(path) ?? `operation missing path field: ${missingValue}`;
const fromError = ({ from }: PatchOperation): string =>
  notString(from) ?? `operation, missing from field: ${missingValue}`;

const failed = (error: string): Fault => ({ outcome: 'failed', error });

const failUnless = (where: string, error: string | undefined): Fault | undefined =>
  error === undefined ? undefined : failed(`${where}: ${error}`);

const nilDereference: Fault = {
  outcome: 'panicked',
  value: 'runtime error: invalid memory address or nil pointer dereference',
};
