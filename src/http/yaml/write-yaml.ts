import { namesOf } from '../../apimachinery/field-names.ts';
import { goFloat } from '../../apimachinery/go-float.ts';
import { workInSteps } from '../../apimachinery/in-turns.ts';
import { isLarge } from '../../apimachinery/is-large.ts';
import { JsonNumber, isJsonObject, isList } from '../../apimachinery/json.ts';
import type { JsonDocument, JsonObject, JsonValue } from '../../apimachinery/json.ts';
import type { Steps, Watched } from '../../apimachinery/pause.ts';
import { sortInSteps } from '../../apimachinery/sort-in-turns.ts';
import { collectPieces } from '../list-pieces.ts';
import { createEmitter } from './emitter.ts';
import type { Emitter } from './emitter.ts';
import { compareKeys } from './key-order.ts';
import { writePlain, writeString } from './write-scalar.ts';

type Value = JsonValue | JsonDocument | undefined;

/**
 * A value as Go's YAML encoder writes it: keys in its order, lists not indented below their field, long texts folded.
 * Follows sigs.k8s.io/yaml JSONToYAML and go.yaml.in/yaml/v2.
 */
export function writeYaml(value: JsonValue): string {
  const emitter = createEmitter();
  writeNode(emitter, value, { indent: -1, inMapping: false });
  emitter.toIndent(0);
  return emitter.take();
}

/** The same in UTF-8, in steps: ten thousand objects at once, or one of tens of thousands of fields, take seconds. */
export function* yamlPieces(value: JsonObject): Steps<readonly Buffer[]> {
  const emitter = createEmitter();
  const pieces = collectPieces();
  const writing = nodeInSteps(emitter, value, { indent: -1, inMapping: false });
  for (let now: Watched; writing.next(now).done !== true;) {
    pieces.add(emitter.take());
    now = yield;
  }
  emitter.toIndent(0);
  pieces.add(emitter.take());
  return pieces.all();
}

interface NodePosition {
  /** Of what holds the node; -1 for the document. */
  readonly indent: number;
  /** The node is the value of a field. */
  readonly inMapping: boolean;
}

const deeper = (indent: number): number => (indent < 0 ? 0 : indent + 2);

function writeNode(emitter: Emitter, value: Value, place: NodePosition): void {
  if (isList(value)) return writeList(emitter, value, place);
  if (isJsonObject(value)) return writeMap(emitter, value, place.indent);
  const at = { indent: deeper(place.indent), isKey: false };
  if (typeof value === 'string') writeString(emitter, value, at);
  else writePlain(emitter, plainText(value), at);
}

function plainText(value: Value): string {
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? value.text : goFloat(Number(value.text));
  if (typeof value === 'number' && !Number.isInteger(value)) return goFloat(value);
  return typeof value === 'object' || value === undefined ? 'null' : String(value);
}

function writeList(emitter: Emitter, list: readonly Value[], place: NodePosition): void {
  if (list.length === 0) return writeEmpty(emitter, '[]');
  const indent = indentOfItems(emitter, place);
  for (const item of list) {
    openItem(emitter, indent);
    writeNode(emitter, item, { indent, inMapping: false });
  }
}

const indentOfItems = (emitter: Emitter, { indent, inMapping }: NodePosition): number =>
  inMapping && !emitter.atLineStart() ? indent : deeper(indent);

function openItem(emitter: Emitter, indent: number): void {
  emitter.toIndent(indent);
  emitter.indicator('-', { keepsIndention: true });
}

function writeMap(emitter: Emitter, object: JsonObject, outer: number): void {
  const keys = keysOf(object).sort(compareKeys);
  if (keys.length === 0) return writeEmpty(emitter, '{}');
  const indent = deeper(outer);
  for (const key of keys) {
    openField(emitter, key, indent);
    writeNode(emitter, object[key] ?? null, { indent, inMapping: true });
  }
}

const keysOf = (object: JsonObject): string[] => namesOf(object).filter((name) => object[name] !== undefined);

function openField(emitter: Emitter, key: string, indent: number): void {
  emitter.toIndent(indent);
  writeKey(emitter, key, indent);
}

/** What has very many values is written member by member, and a long text in turns. */
function* nodeInSteps(emitter: Emitter, value: Value, place: NodePosition): Steps<void> {
  if (isLongText(value)) yield* longText(emitter, value, place);
  else if (!isLarge(value) && !hasLongText(value)) writeNode(emitter, value, place);
  else if (isList(value)) yield* listInSteps(emitter, value, place);
  else if (isJsonObject(value)) yield* mapInSteps(emitter, value, place.indent);
}

function* listInSteps(emitter: Emitter, list: readonly Value[], place: NodePosition): Steps<void> {
  const indent = indentOfItems(emitter, place);
  for (const item of list) {
    openItem(emitter, indent);
    yield* nodeInSteps(emitter, item, { indent, inMapping: false });
    yield;
  }
}

function* mapInSteps(emitter: Emitter, object: JsonObject, outer: number): Steps<void> {
  const indent = deeper(outer);
  for (const key of yield* sortInSteps(keysOf(object), compareKeys)) {
    openField(emitter, key, indent);
    yield* nodeInSteps(emitter, object[key] ?? null, { indent, inMapping: true });
    yield;
  }
}

const manyCharacters = 16 * 1024;

const isLongText = (value: Value): boolean => typeof value === 'string' && value.length > manyCharacters;

/** Of what is not large. */
function hasLongText(value: Value): boolean {
  if (isList(value)) return value.some(hasLongText);
  return isJsonObject(value) ? Object.values(value).some(hasLongText) : isLongText(value);
}

function* longText(emitter: Emitter, text: Value, place: NodePosition): Steps<void> {
  const writing = workInSteps(() => writeNode(emitter, text, place), yield);
  for (const startAgain = emitter.mark(); writing.next().done !== true;) {
    startAgain();
    yield;
  }
}

/** A key that is long or has several lines stands behind a question mark. */
function writeKey(emitter: Emitter, key: string, indent: number): void {
  const isSimple = !/[\n\r\u0085\u2028\u2029]/.test(key) && Buffer.byteLength(key) <= 128;
  if (!isSimple) emitter.indicator('?', { keepsIndention: true });
  writeString(emitter, key, { indent: indent + 2, isKey: isSimple });
  if (!isSimple) emitter.toIndent(indent);
  emitter.indicator(':', { spaced: !isSimple, keepsIndention: !isSimple });
}

function writeEmpty(emitter: Emitter, brackets: string): void {
  emitter.indicator(brackets);
}
