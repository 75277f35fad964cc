import { Document, isScalar, Scalar, type ScalarTag, visit } from 'yaml';
import { goFloat } from '../../../machinery/go/strconv.ts';
import { JsonNumber, type JsonValue } from '../../../machinery/json/json.ts';
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
  /[\n\r\u0085\u2028\u2029]/.test(key) || (key.length > 32 && new TextEncoder().encode(key).length > 128);

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

/**
 * Compares keys as Go's YAML encoder sorts a map: letters by code point after everything else, digits as numbers.
 * Follows go.yaml.in/yaml/v2 sorter.go.
 */
function compareKeys(a: string, b: string): number {
  const at = firstDifference(a, b);
  const [left, other] = [a.codePointAt(at), b.codePointAt(at)];
  if (left === undefined || other === undefined) return a.length - b.length;
  const isText = isLetter(left);
  if (isText !== isLetter(other)) return isText ? 1 : -1;
  return isText || !(isDigit(left) || isDigit(other)) ? left - other : compareDigits(a, b, at) || left - other;
}

/** The index of the first difference, or the length of the shorter text. */
function firstDifference(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at > 0 && isFirstHalf(a.charCodeAt(at - 1)) ? at - 1 : at;
}

const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

const isLetter = (code: number): boolean => /^\p{L}/u.test(String.fromCodePoint(code));
const isDigit = (code: number): boolean => /^\p{Nd}/u.test(String.fromCodePoint(code));

const zero = 0x30;

/** Compares the numbers at `at`; a zero after a digit belongs to that number. */
function compareDigits(a: string, b: string, at: number): number {
  const lead = (a.charCodeAt(at) === zero || b.charCodeAt(at) === zero) && followsNumber(a, at) ? 1 : 0;
  const [left, other] = [numberAt(a, at, lead), numberAt(b, at, lead)];
  return Number(left.value > other.value) - Number(left.value < other.value) || left.digits - other.digits;
}

/** Whether a number other than zero ends at `at`. */
function followsNumber(text: string, at: number): boolean {
  let end = at;
  while (text.charAt(end - 1) === '0') end -= 1;
  return /\p{Nd}$/u.test(text.slice(Math.max(0, end - 2), end));
}

interface DigitRun {
  readonly value: bigint;
  readonly digits: number;
}

/** Go counts in 64 bits: leading digits overflow. */
function numberAt(text: string, at: number, lead: number): DigitRun {
  const [run = ''] = /^\p{Nd}*/u.exec(text.slice(at)) ?? [];
  const values = Array.from(run, (char) => BigInt((char.codePointAt(0) ?? 0) - zero));
  const value = values.slice(-64).reduce((sum, digitValue) => BigInt.asIntN(64, sum * 10n + digitValue), BigInt(lead));
  return { value, digits: values.length };
}
