import { isScalar, type Scalar, isAlias, isMap } from 'yaml';
import { base64Bytes } from '../go/base64-bytes.ts';
import { JsonNumber } from '../json/json.ts';
import { YamlFault } from './lex-yaml.ts';
import type { YamlNode, AliasTargets } from './parse-yaml.ts';
import { goQuote } from '../meta/field-error.ts';

/** The value of a scalar. Numbers that JSON cannot express, such as NaN, stay numbers. */
export type ScalarValue = string | number | boolean | JsonNumber | null;

type Kind = 'str' | 'bool' | 'int' | 'float' | 'null' | 'merge';

interface Resolved {
  readonly kind: Kind;
  readonly value: ScalarValue;
}

const standardTag = 'tag:yaml.org,2002:';

/** The value of a scalar, in the manner of YAML 1.1: `yes` is true. Follows goyaml.v2 resolve.go and decode.go. */
export function resolveScalar(scalar: Scalar | null): ScalarValue {
  if (scalar === null) return null;
  const { type, tag } = scalar;
  const value = String(scalar.value);
  if (tag === `${standardTag}binary`) return decodeBinary(value);
  if (tag === undefined) return type === 'PLAIN' ? resolvePlain(value).value : value;
  const kind = kindByTag[tag];
  return kind === undefined ? value : resolveAs(kind, value);
}

/** The value of a number of JSON. */
export const yamlNumber = (text: string): ScalarValue => resolveNumber(text)?.value ?? text;

/** Is a plain scalar with this text a string? */
export const isPlainText = (text: string): boolean => {
  const { kind } = resolvePlain(text);
  return kind === 'str' || kind === 'merge';
};

/** Is it the key `<<`? */
export const isMergeKey = (node: YamlNode): boolean =>
  isScalar(node) &&
  node.value === '<<' &&
  (node.tag === undefined ? node.type === 'PLAIN' : node.tag === `${standardTag}merge`);

/** The tag differs from the text: only a whole number can become a float. */
function resolveAs(kind: Kind | 'timestamp', value: string): ScalarValue {
  const plain = resolvePlain(value);
  if (kind === plain.kind) return plain.value;
  if (kind === 'float' && plain.kind === 'int') return plain.value;
  if (kind === 'timestamp' && /^\d{4}-\d\d?-\d\d?/.test(value)) return value;
  throw new YamlFault(`yaml: cannot decode !!${plain.kind} \`${value}\` as a !!${kind}`);
}

const kindByTag: Readonly<Record<string, Kind | 'timestamp' | undefined>> = Object.fromEntries(
  (['bool', 'int', 'float', 'null', 'timestamp'] as const).map((kind) => [standardTag + kind, kind]),
);

const plainWords: ReadonlyMap<string, Resolved> = new Map(
  [
    ['y Y yes Yes YES true True TRUE on On ON', { kind: 'bool', value: true }] as const,
    ['n N no No NO false False FALSE off Off OFF', { kind: 'bool', value: false }] as const,
    ['~ null Null NULL', { kind: 'null', value: null }] as const,
    ['.nan .NaN .NAN', { kind: 'float', value: NaN }] as const,
    ['.inf .Inf .INF +.inf +.Inf +.INF', { kind: 'float', value: Infinity }] as const,
    ['-.inf -.Inf -.INF', { kind: 'float', value: -Infinity }] as const,
    ['<<', { kind: 'merge', value: '<<' }] as const,
  ].flatMap(([texts, resolved]) => texts.split(' ').map((text) => [text, resolved] as const)),
);

function resolvePlain(text: string): Resolved {
  if (text === '') return { kind: 'null', value: null };
  const word = plainWords.get(text);
  if (word) return word;
  if (/^[-+\d]/.test(text)) return resolveNumber(text.replaceAll('_', '')) ?? { kind: 'str', value: text };
  if (/^\.\d+([eE][-+]?\d+)?$/.test(text)) return { kind: 'float', value: Number(text) };
  return { kind: 'str', value: text };
}

function resolveNumber(text: string): Resolved | undefined {
  const integer = readInteger(text);
  if (integer !== undefined && integer >= -(2n ** 63n) && integer < 2n ** 64n) return toIntegerScalar(integer);
  if (/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? { kind: 'float', value } : undefined;
  }
  return integer === undefined ? undefined : toIntegerScalar(integer);
}

/** As Go's strconv.ParseInt with base 0: `0x1f`, `0o17`, `017` and `0b11` too. Long ones are not supported. */
function readInteger(text: string): bigint | undefined {
  const [, sign = '', digits = ''] = /^([-+]?)(\d.*)$/s.exec(text) ?? [];
  const literal = digits.replace(/^0(?=[0-7]+$)/, '0o');
  if (!/^(0|[1-9]\d*|0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.test(literal) || literal.length > maxLength)
    return undefined;
  return sign === '-' ? -BigInt(literal.toLowerCase()) : BigInt(literal.toLowerCase());
}

const maxLength = 1000;

function toIntegerScalar(value: bigint): Resolved {
  const isExact = Number.isSafeInteger(Number(value));
  return { kind: 'int', value: isExact ? Number(value) : new JsonNumber(String(value)) };
}

function decodeBinary(text: string): string {
  const base64 = text.replaceAll(/[\r\n]/g, '');
  if (base64.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(base64))
    throw new YamlFault('yaml: !!binary value contains invalid base64 data');
  return new TextDecoder().decode(base64Bytes(base64));
}

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

/** A value that JSON can express. Follows go src/encoding/json/encode.go. */
export function jsonScalar(value: ScalarValue): ScalarValue {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new YamlFault(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
  return value;
}

/** The maximum of nodes in an error text: aliases could repeat them without limit. */
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
