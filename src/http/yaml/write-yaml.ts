import { JsonNumber, isJsonObject } from '../../apimachinery/json.ts';
import type { JsonDocument, JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { goFloat } from '../../apimachinery/go-float.ts';
import { atOnce } from '../../apimachinery/pause.ts';
import type { Steps } from '../../apimachinery/pause.ts';
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

/** The same of a long list, in UTF-8, with a step for each item: ten thousand at once take seconds. */
export function* yamlPieces(list: JsonObject): Steps<readonly Buffer[]> {
  const emitter = createEmitter();
  const pieces = collectPieces();
  for (const [key, value] of inKeyOrder(list)) {
    emitter.toIndent(0);
    writeKey(emitter, key, 0);
    const place = { indent: 0, inMapping: true };
    if (Array.isArray(value)) {
      for (const _ of listItems(emitter, value, place)) {
        pieces.add(emitter.take());
        yield;
      }
    } else writeNode(emitter, value, place);
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
  if (Array.isArray(value)) return writeList(emitter, value, place);
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
  atOnce(listItems(emitter, list, place));
}

/** A step for each item. */
function* listItems(emitter: Emitter, list: readonly Value[], { indent: outer, inMapping }: NodePosition): Steps<void> {
  if (list.length === 0) return writeEmpty(emitter, '[]');
  const indent = inMapping && !emitter.atLineStart() ? outer : deeper(outer);
  for (const item of list) {
    emitter.toIndent(indent);
    emitter.indicator('-', { keepsIndention: true });
    writeNode(emitter, item, { indent, inMapping: false });
    yield;
  }
}

function writeMap(emitter: Emitter, object: JsonObject, outer: number): void {
  const fields = inKeyOrder(object);
  if (fields.length === 0) return writeEmpty(emitter, '{}');
  const indent = deeper(outer);
  for (const [key, value] of fields) {
    emitter.toIndent(indent);
    writeKey(emitter, key, indent);
    writeNode(emitter, value, { indent, inMapping: true });
  }
}

const inKeyOrder = (object: JsonObject): readonly (readonly [string, Value])[] =>
  Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => compareKeys(a, b));

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
