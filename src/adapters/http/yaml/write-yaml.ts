import { JsonNumber, isJsonObject } from '../../../machinery/json/json.ts';
import type { JsonDocument, JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { goFloat } from '../../../machinery/go/go-float.ts';
import { atOnce } from '../../../machinery/pause.ts';
import type { Steps } from '../../../machinery/pause.ts';
import { createEmitter } from './emitter.ts';
import type { Emitter } from './emitter.ts';
import { compareKeys } from './key-order.ts';
import { writePlain, writeString } from './write-scalar.ts';

type Value = JsonValue | JsonDocument | undefined;

/** What `yamlPieces` makes, at once and as one text. */
export const writeYaml = (value: JsonValue): string => Buffer.concat(atOnce(yamlPieces(value))).toString();

/**
 * A value as Go's YAML encoder writes it, in UTF-8: keys in its order, lists not indented below their field, long texts
 * folded. In steps, since ten thousand objects, or a text that is all escapes, take long. Follows sigs.k8s.io/yaml
 * JSONToYAML and go.yaml.in/yaml/v2.
 */
export function* yamlPieces(value: JsonValue): Steps<readonly Buffer[]> {
  const emitter = createEmitter();
  yield* writeNode(emitter, value, { indent: -1, inMapping: false });
  emitter.toIndent(0);
  return emitter.pieces();
}

interface NodePosition {
  /** Of what holds the node; -1 for the document. */
  readonly indent: number;
  /** The node is the value of a field. */
  readonly inMapping: boolean;
}

const deeper = (indent: number): number => (indent < 0 ? 0 : indent + 2);

function* writeNode(emitter: Emitter, value: Value, place: NodePosition): Steps<void> {
  if (Array.isArray(value)) return yield* writeList(emitter, value, place);
  if (isJsonObject(value)) return yield* writeMap(emitter, value, place.indent);
  const at = { indent: deeper(place.indent), isKey: false };
  return yield* typeof value === 'string' ? writeString(emitter, value, at) : writePlain(emitter, plainText(value), at);
}

function plainText(value: Value): string {
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? value.text : goFloat(Number(value.text));
  if (typeof value === 'number' && !Number.isInteger(value)) return goFloat(value);
  return typeof value === 'object' || value === undefined ? 'null' : String(value);
}

function* writeList(emitter: Emitter, list: readonly Value[], { indent: outer, inMapping }: NodePosition): Steps<void> {
  if (list.length === 0) return emitter.indicator('[]');
  const indent = inMapping && !emitter.atLineStart() ? outer : deeper(outer);
  for (const item of list) {
    emitter.toIndent(indent);
    emitter.indicator('-', { keepsIndention: true });
    yield* writeNode(emitter, item, { indent, inMapping: false });
    if (emitter.isDue()) yield;
  }
}

function* writeMap(emitter: Emitter, object: JsonObject, outer: number): Steps<void> {
  const indent = deeper(outer);
  let isEmpty = true;
  for (const key of Object.keys(object).toSorted(compareKeys)) {
    const value = object[key];
    if (value === undefined) continue;
    isEmpty = false;
    emitter.toIndent(indent);
    yield* writeKey(emitter, key, indent);
    yield* writeNode(emitter, value, { indent, inMapping: true });
    if (emitter.isDue()) yield;
  }
  if (isEmpty) emitter.indicator('{}');
}

/** A key that is long or has several lines stands behind a question mark. */
function* writeKey(emitter: Emitter, key: string, indent: number): Steps<void> {
  const isSimple = !/[\n\r\u0085\u2028\u2029]/.test(key) && Buffer.byteLength(key) <= 128;
  if (!isSimple) emitter.indicator('?', { keepsIndention: true });
  yield* writeString(emitter, key, { indent: indent + 2, isKey: isSimple });
  if (!isSimple) emitter.toIndent(indent);
  emitter.indicator(':', { spaced: !isSimple, keepsIndention: !isSimple });
}
