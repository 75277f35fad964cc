import { keepNames, namesOf } from './field-names.ts';
import { isList, JsonNumber, setOwn } from './json.ts';
import type { JsonDocument, JsonValue } from './json.ts';
import { stepsInTurns } from './in-turns.ts';
import { createJsonBuilder } from './json-builder.ts';
import { isLarge } from './is-large.ts';
import { walkJsonInSteps } from './json-walk.ts';
import { atOnce } from './pause.ts';
import type { Steps } from './pause.ts';
import { plainJsonInSteps } from './plain-json.ts';

/** A JSON text that was read, with what JSON.parse would lose. */
export interface JsonText {
  readonly text: string;
  readonly value: JsonDocument;
  /** Does any object repeat a key? Then `keys` tells where. The last one won in `value`. */
  readonly hasDuplicates: boolean;
  /**
   * Every object key in document order, as Go's strict decoder names it (`spec.containers[0].name`), with its offset in
   * the text and whether the same object had it before. Walks the text again: call it only to report.
   */
  readonly keys: () => readonly JsonKey[];
}

interface JsonKey {
  readonly path: string;
  readonly offset: number;
  readonly duplicate: boolean;
}

export type JsonReading =
  | { readonly outcome: 'read'; readonly json: JsonText }
  /** Go's text: `invalid character 'b' looking for beginning of object key string`, `unexpected end of JSON input`. */
  | { readonly outcome: 'unreadable'; readonly error: string; readonly offset: number };

/**
 * Reads JSON without losing number text, 64-bit integers or repeated keys; keys such as `__proto__` stay plain data.
 * Nesting deeper than `deepestNesting` is an error, in Go's words. The texts follow go src/encoding/json/scanner.go.
 */
export function readJson(text: string): JsonReading {
  const value = stepsInTurns(() => plainJsonInSteps(text));
  if (value !== undefined) return read(text, value, false);
  // The walk will say in Go's words what is wrong.
  const { builder, fault } = stepsInTurns(() => builtInSteps(text));
  if (fault) return { outcome: 'unreadable', ...fault };
  return read(text, builder.value(), builder.hasDuplicates());
}

function* builtInSteps(text: string) {
  const builder = createJsonBuilder((scalar) => scalar);
  return { builder, fault: yield* walkJsonInSteps(text, builder.visitor) };
}

const read = (text: string, value: JsonDocument, hasDuplicates: boolean): JsonReading => ({
  outcome: 'read',
  json: { text, value, hasDuplicates, keys: () => keysOf(text) },
});

/**
 * A document as Go reads it without a type: a whole number of 64 bits as an integer (a bigint beyond 2^53), every
 * other number as the nearest double. One too large for a double becomes Infinity; Go refuses it.
 * Follows sigs.k8s.io/json internal/golang/encoding/json/decode.go, option useInt64.
 */
export function plainValue(document: JsonDocument): JsonValue {
  const pending: (JsonDocument | undefined)[] = [document];
  const seen = look(pending);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has been looked through
  if (seen === 'plain') return document as JsonValue;
  const copied = (): Steps<JsonValue> => copyInSteps(document);
  if (seen === 'kept') return isLarge(document) ? stepsInTurns(copied) : atOnce(copied());
  return stepsInTurns(() => plainInSteps(document, pending));
}

/** So many values are looked at, or copied, in a step. */
const valuesAStep = 2_000;

/** Others are let in while the rest is looked through. */
function* plainInSteps(document: JsonDocument, pending: (JsonDocument | undefined)[]): Steps<JsonValue> {
  for (;;) {
    yield;
    const seen = look(pending);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has been looked through
    if (seen === 'plain') return document as JsonValue;
    if (seen === 'kept') return yield* copyInSteps(document);
  }
}

function* copyInSteps(document: JsonDocument): Steps<JsonValue> {
  const open: Copying[] = [];
  const copy = copied(document, open);
  let done = 0;
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    copyMember(inner, open);
    done += 1;
    if (done % valuesAStep === 0) yield;
  }
  return copy;
}

/** A list or an object that is not copied to its end. No recursion, since nesting may be deep. */
type Copying =
  | { readonly type: 'list'; readonly from: readonly JsonDocument[]; readonly to: JsonValue[]; next: number }
  | {
      readonly type: 'object';
      readonly from: { readonly [field: string]: JsonDocument | undefined };
      readonly names: readonly string[];
      readonly to: Record<string, JsonValue>;
      next: number;
    };

/** The copy; of a list or an object without its members, which are copied later. */
function copied(from: JsonDocument, open: Copying[]): JsonValue {
  if (from instanceof JsonNumber) return goNumber(from.text);
  if (typeof from !== 'object' || from === null) return from;
  const copying: Copying = isList(from)
    ? { type: 'list', from, to: [], next: 0 }
    : { type: 'object', from, names: namesOf(from), to: {}, next: 0 };
  open.push(copying);
  return copying.to;
}

/** The next member of the innermost, or its end. */
function copyMember(copying: Copying, open: Copying[]): void {
  const at = copying.next;
  copying.next += 1;
  if (copying.type === 'list') {
    if (at < copying.from.length) copying.to.push(copied(copying.from[at] ?? null, open));
    else open.pop();
    return;
  }
  const { from, names, to } = copying;
  const name = names[at];
  if (name === undefined) {
    keepNames(to, names);
    open.pop();
  } else setOwn(to, name, copied(from[name] ?? null, open));
}

/** Is it a text that was read, rather than a value? */
export const isJsonText = (body: JsonText | JsonDocument): body is JsonText =>
  typeof body === 'object' && body !== null && 'hasDuplicates' in body && typeof body.keys === 'function';

/** Looks for a JsonNumber: without one the document is a JsonValue already. There may be more to look at than a step has time for. */
function look(pending: (JsonDocument | undefined)[]): 'plain' | 'kept' | 'more' {
  for (let left = valuesAStep; pending.length > 0; left -= 1) {
    if (left <= 0) return 'more';
    const next = pending.pop();
    if (next instanceof JsonNumber) return 'kept';
    if (isList(next)) for (const value of next) pending.push(value);
    // Their names have to be known later too, and to list many takes long.
    else if (typeof next === 'object' && next !== null) left -= addContainers(pending, next);
  }
  return 'plain';
}

/** How many fields there are: texts and numbers have been looked at with that. */
function addContainers(
  pending: (JsonDocument | undefined)[],
  object: { readonly [field: string]: JsonDocument | undefined },
): number {
  const names = namesOf(object);
  for (const field of names) {
    const value = object[field];
    if (typeof value === 'object' && value !== null) pending.push(value);
  }
  return names.length;
}

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** The number as Go's untyped decoding has it: `1` and `-0` are integers, `1.0` and `1e3` doubles. */
export function goNumber(literal: string): number | bigint {
  if (!/^-?\d+$/.test(literal)) return Number(literal);
  const value = BigInt(literal);
  if (value < int64.min || value > int64.max) return Number(literal);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Others are let in meanwhile where the work around it is done in turns. */
const keysOf = (text: string): readonly JsonKey[] => stepsInTurns(() => keysInSteps(text));

/** Follows sigs.k8s.io/json internal/golang/encoding/json/kubernetes_patch.go for the names. */
function* keysInSteps(text: string): Steps<readonly JsonKey[]> {
  const keys: JsonKey[] = [];
  // One frame per open container: the path up to it, and its keys, or its elements so far.
  const open: { readonly path: string; readonly seen: Set<string> | undefined; elements: number }[] = [];
  let path = '';
  const enter = (): void => {
    const frame = open.at(-1);
    if (!frame || frame.seen) return;
    path = `${frame.path}[${frame.elements}]`;
    frame.elements += 1;
  };
  yield* walkJsonInSteps(text, {
    open: (type) => {
      enter();
      open.push({ path, seen: type === 'object' ? new Set() : undefined, elements: 0 });
    },
    close: () => open.pop(),
    scalar: enter,
    key: (name, offset) => {
      const frame = open.at(-1);
      path = frame?.path ? `${frame.path}.${name}` : name;
      keys.push({ path, offset, duplicate: frame?.seen?.has(name) ?? false });
      frame?.seen?.add(name);
    },
  });
  return keys;
}
