import { Document, Scalar, isScalar, visit } from 'yaml';
import type { ScalarTag } from 'yaml';
import { goFloat } from '../../../machinery/go/go-float.ts';
import { JsonNumber } from '../../../machinery/json/json.ts';
import type { JsonValue } from '../../../machinery/json/json.ts';
import { compareKeys } from './key-order.ts';
import { printString } from './print-string.ts';

/**
 * Writes YAML as Go's encoder does: sorted keys, lists not indented below their field, long texts folded. Follows
 * sigs.k8s.io/yaml JSONToYAML and go.yaml.in/yaml/v2.
 */
export function writeYaml(value: JsonValue): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: (tags) => [...tags.filter((tag) => typeof tag === 'object' && tag.collection !== undefined), scalarTag],
    schema: 'failsafe',
    sortMapEntries: (a, b) => compareKeys(textOf(a.key), textOf(b.key)),
  });
  visit(document, {
    Pair: (_key, { key }) => {
      if (isScalar(key) && isLongKey(textOf(key))) key.type = Scalar.BLOCK_LITERAL;
    },
  });
  return document.toString({ indentSeq: false, lineWidth: 0 });
}

const textOf = (key: unknown): string => String(isScalar(key) ? key.value : key);

/** Long and multi-line keys need a question mark. */
const isLongKey = (key: string): boolean =>
  /[\n\r\u0085\u2028\u2029]/.test(key) || (key.length > 32 && Buffer.byteLength(key) > 128);

const scalarTag: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value !== 'object' || value === null || value instanceof JsonNumber,
  resolve: (text) => text,
  stringify: ({ value }, { implicitKey = false, indent, indentAtStart = 2 }) => {
    if (typeof value !== 'string') return printPlain(value);
    // `indent` is that of further lines; `- ` and `? ` precede the first one.
    return printString(value, { isKey: implicitKey, indent: indent.length, column: indent.length + indentAtStart - 2 });
  },
};

function printPlain(value: unknown): string {
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? value.text : goFloat(Number(value.text));
  return typeof value === 'number' && !Number.isInteger(value) ? goFloat(value) : String(value);
}
