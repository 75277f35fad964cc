import { type JsonScalar, type JsonVisitor, walkJson } from './json-walk.ts';
import { type JsonDocument, JsonNumber, type JsonValue, isList, setOwn, type DocumentObject } from './json.ts';
import { plainJson } from './plain-json.ts';

/** A JSON text that was read, with what JSON.parse would lose. */
export interface JsonText {
  readonly text: string;
  readonly value: JsonDocument;
  /** Does any object repeat a key? `keys` has the places; `value` has the last value of each. */
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
  const value = plainJson(text);
  if (value !== undefined) return toReading(text, value, false);
  // The walk reports the error in Go's words.
  const builder = createJsonBuilder((scalar) => scalar);
  const fault = walkJson(text, builder.visitor);
  if (fault) return { outcome: 'unreadable', ...fault };
  return toReading(text, builder.value(), builder.hasDuplicates());
}

const toReading = (text: string, value: JsonDocument, hasDuplicates: boolean): JsonReading => ({
  outcome: 'read',
  json: { text, value, hasDuplicates, keys: () => listKeys(text) },
});

/**
 * A document as Go reads it without a type: a whole number of 64 bits as an integer (a bigint beyond 2^53), every
 * other number as the nearest double. One too large for a double becomes Infinity; Go refuses it.
 * Follows sigs.k8s.io/json internal/golang/encoding/json/decode.go, option useInt64.
 */
export function plainValue(document: JsonDocument): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has been looked through
  if (!hasJsonNumber(document)) return document as JsonValue;
  const open: PendingCopy[] = [];
  const copy = beginCopy(document, open);
  for (let inner = open.at(-1); inner; inner = open.at(-1)) copyMember(inner, open);
  return copy;
}

/** The value that an API server wrote; undefined if it is not JSON. */
export function readStoredJson(text: string): JsonValue | undefined {
  const reading = readJson(text);
  return reading.outcome === 'read' ? plainValue(reading.json.value) : undefined;
}

/** A list or an object that is being copied. No recursion, since nesting may be deep. */
type PendingCopy =
  | { readonly type: 'list'; readonly from: readonly JsonDocument[]; readonly to: JsonValue[]; next: number }
  | {
      readonly type: 'object';
      readonly from: DocumentObject;
      readonly names: readonly string[];
      readonly to: Record<string, JsonValue>;
      next: number;
    };

/** The copy; the members of a list or an object are copied later. */
function beginCopy(from: JsonDocument, open: PendingCopy[]): JsonValue {
  if (from instanceof JsonNumber) return goNumber(from.text);
  if (typeof from !== 'object' || from === null) return from;
  const copying: PendingCopy = isList(from)
    ? { type: 'list', from, to: [], next: 0 }
    : { type: 'object', from, names: Object.keys(from), to: {}, next: 0 };
  open.push(copying);
  return copying.to;
}

/** The next member of the innermost, or its end. */
function copyMember(copying: PendingCopy, open: PendingCopy[]): void {
  const at = copying.next;
  copying.next += 1;
  if (copying.type === 'list') {
    if (at < copying.from.length) copying.to.push(beginCopy(copying.from[at] ?? null, open));
    else open.pop();
    return;
  }
  const { from, names, to } = copying;
  const name = names[at];
  if (name === undefined) {
    open.pop();
  } else setOwn(to, name, beginCopy(from[name] ?? null, open));
}

/** Is the body a text with its reading, rather than a value? */
export const isJsonText = (body: JsonText | JsonDocument): body is JsonText =>
  typeof body === 'object' && body !== null && 'hasDuplicates' in body && typeof body.keys === 'function';

/** Without a JsonNumber the document is a JsonValue already. */
function hasJsonNumber(document: JsonDocument): boolean {
  const pending: (JsonDocument | undefined)[] = [document];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next instanceof JsonNumber) return true;
    if (typeof next === 'object' && next !== null) for (const value of Object.values(next)) pending.push(value);
  }
  return false;
}

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/** The number as Go's untyped decoding has it: `1` and `-0` are integers, `1.0` and `1e3` doubles. */
export function goNumber(literal: string): number | bigint {
  if (!/^-?\d+$/.test(literal)) return Number(literal);
  const value = BigInt(literal);
  if (value < int64.min || value > int64.max) return Number(literal);
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}

/** Follows sigs.k8s.io/json internal/golang/encoding/json/kubernetes_patch.go for the names. */
function listKeys(text: string): readonly JsonKey[] {
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
  walkJson(text, {
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

/** A document with scalars of another form. */
export type JsonTree<Scalar> =
  | Scalar
  | null
  | readonly JsonTree<Scalar>[]
  | { readonly [field: string]: JsonTree<Scalar> };

interface JsonBuilder<Scalar> {
  readonly visitor: JsonVisitor;
  readonly value: () => JsonTree<Scalar>;
  readonly hasDuplicates: () => boolean;
}

type JsonFields<Scalar> = Record<string, JsonTree<Scalar>>;

/** A visitor of walkJson that builds the document. By default the last of repeated keys wins, at the position of the first. */
export function createJsonBuilder<Scalar>(
  keep: (value: JsonScalar, start: number, end: number) => Scalar,
  setField: (fields: JsonFields<Scalar>, name: string, value: JsonTree<Scalar>) => void = setOwn,
): JsonBuilder<Scalar> {
  type Container = JsonTree<Scalar>[] | JsonFields<Scalar>;
  const root: JsonTree<Scalar>[] = [];
  const open: { readonly container: Container; readonly key: string }[] = [];
  let container: Container = root;
  let key = '';
  let duplicates = false;
  const put = (value: JsonTree<Scalar>): void => {
    if (Array.isArray(container)) container.push(value);
    else setField(container, key, value);
  };
  const visitor: JsonVisitor = {
    open: (type) => {
      const made: Container = type === 'array' ? [] : {};
      put(made);
      open.push({ container, key });
      container = made;
    },
    close: () => {
      const outer = open.pop();
      if (outer) ({ container, key } = outer);
    },
    key: (name) => {
      duplicates ||= Object.hasOwn(container, name);
      key = name;
    },
    scalar: (value, start, end) => put(keep(value, start, end)),
  };
  return { visitor, value: () => root[0] ?? null, hasDuplicates: () => duplicates };
}
