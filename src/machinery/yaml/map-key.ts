import { goQuote } from '../meta/field-error.ts';
import { JsonNumber } from '../json/json.ts';
import { JsonFault, YamlFault } from './cursor.ts';
import type { YamlNode } from './nodes.ts';
import { resolveScalar } from './resolve-scalar.ts';
import type { ScalarValue } from './resolve-scalar.ts';

export interface MapKey {
  /** The name of the field in JSON. */
  readonly text: string;
  /** The key as Go's `%#v` prints it. */
  readonly go: string;
}

/** The key of a mapping. Follows sigs.k8s.io/yaml yaml.go convertToJSONableObject. */
export function mapKey(node: YamlNode, value: YamlNode): MapKey {
  if (node.type !== 'scalar') throw new YamlFault(`invalid map key: ${goSyntax(node)}`);
  const key = resolveScalar(node);
  if (key === null)
    throw new JsonFault(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value)}`);
  const text = key instanceof JsonNumber ? key.text : keyText(key);
  return { text, go: typeof key === 'string' ? goQuote(key) : text };
}

function keyText(key: string | number | boolean): string {
  if (key === Infinity) return '.inf';
  if (key === -Infinity) return '-.inf';
  return Number.isNaN(key) ? '.nan' : String(key);
}

/** A value that JSON can say. Follows go src/encoding/json/encode.go. */
export function jsonScalar(value: ScalarValue): Exclude<ScalarValue, undefined> {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new JsonFault(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  return value;
}

/** How many nodes the text of an error shows: aliases could make them any number. */
const mostShown = 100;

/** A node as Go's `%#v` prints it, for the texts of errors. Follows go src/fmt/print.go. */
function goSyntax(root: YamlNode): string {
  let shown = 0;
  const print = (node: YamlNode): string => {
    shown += 1;
    if (shown > mostShown) return '…';
    switch (node.type) {
      case 'alias':
        return print(node.target);
      case 'scalar':
        return printScalar(resolveScalar(node));
      case 'list':
        return `[]interface {}{${node.children.slice(0, mostShown).map(print).join(', ')}}`;
      case 'map': {
        const texts = node.children.slice(0, mostShown).map(print);
        const pairs = texts.flatMap((key, index) => (index % 2 === 0 ? [`${key}:${texts[index + 1] ?? ''}`] : []));
        return `map[interface {}]interface {}{${pairs.toSorted().join(', ')}}`;
      }
    }
  };
  return print(root);
}

function printScalar(value: ScalarValue): string {
  if (value === null) return 'interface {}(nil)';
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? goQuote(value) : String(value);
}
