import { isAlias, isMap, isScalar } from 'yaml';
import { goQuote } from '../meta/field-error.ts';
import { JsonNumber } from '../json/json.ts';
import { YamlFault } from './lex-yaml.ts';
import type { AliasTargets, YamlNode } from './parse-yaml.ts';
import { resolveScalar, type ScalarValue } from './resolve-scalar.ts';

export interface YamlMapKey {
  /** The name of the field in JSON. */
  readonly text: string;
  /** The key as Go's `%#v` prints it. */
  readonly go: string;
}

/** The key of a mapping. Follows sigs.k8s.io/yaml yaml.go convertToJSONableObject. */
export function yamlMapKey(node: YamlNode, value: YamlNode, targets: AliasTargets): YamlMapKey {
  const target = isAlias(node) ? (targets.get(node) ?? null) : node;
  if (target !== null && !isScalar(target)) throw new YamlFault(`yaml: invalid map key: ${goSyntax(target, targets)}`);
  const key = resolveScalar(target);
  if (key === null)
    throw new YamlFault(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value, targets)}`);
  const text = yamlKeyText(key);
  return { text, go: typeof key === 'string' ? goQuote(key) : text };
}

/** The name of the field that a key becomes. */
export function yamlKeyText(key: ScalarValue): string {
  if (key instanceof JsonNumber) return key.text;
  if (key === Infinity) return '.inf';
  if (key === -Infinity) return '-.inf';
  return Number.isNaN(key) ? '.nan' : String(key);
}

/** A value that JSON can say. Follows go src/encoding/json/encode.go. */
export function jsonScalar(value: ScalarValue): ScalarValue {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new YamlFault(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  return value;
}

/** How many nodes the text of an error shows: aliases could make them any number. */
const maxShown = 100;

/** A node as Go's `%#v` prints it, for the texts of errors. Follows go src/fmt/print.go. */
function goSyntax(root: YamlNode, targets: AliasTargets): string {
  let shown = 0;
  const print = (node: YamlNode): string => {
    shown += 1;
    if (shown > maxShown) return '…';
    if (isAlias(node)) return print(targets.get(node) ?? null);
    if (node === null || isScalar(node)) return printScalar(resolveScalar(node));
    if (!isMap(node)) return `[]interface {}{${node.items.slice(0, maxShown).map(print).join(', ')}}`;
    const pairs = node.items.slice(0, maxShown).map(({ key, value }) => `${print(key)}:${print(value)}`);
    return `map[interface {}]interface {}{${pairs.toSorted().join(', ')}}`;
  };
  return print(root);
}

function printScalar(value: ScalarValue): string {
  if (value === null) return 'interface {}(nil)';
  if (value instanceof JsonNumber) return value.text;
  return typeof value === 'string' ? goQuote(value) : String(value);
}
