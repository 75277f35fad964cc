import {
  BoolFalseContext,
  BoolTrueContext,
  BytesContext,
  DoubleContext,
  IntContext,
  type LiteralContext,
  StringContext,
  UintContext,
} from '../grammar/generated/CELParser.ts';
import type { Constant } from './ast.ts';
import { unescapable, unescapeBytes, unescapeString } from './unescape.ts';

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/** The constant a literal means, or the complaint about it. Follows cel-go parser/parser.go. */
export function literalValue(context: LiteralContext): Constant | string {
  if (context instanceof IntContext) return intValue(context.getText());
  if (context instanceof UintContext) return uintValue(context.getText());
  if (context instanceof DoubleContext) return doubleValue(context.getText());
  if (context instanceof StringContext) {
    const read = unescapeString(context.getText());
    return 'error' in read ? read.error : { type: 'string', value: read.value };
  }
  if (context instanceof BytesContext) {
    const value = unescapeBytes(context.getText().slice(1));
    return value === undefined ? unescapable : { type: 'bytes', value };
  }
  if (context instanceof BoolTrueContext) return { type: 'bool', value: true };
  if (context instanceof BoolFalseContext) return { type: 'bool', value: false };
  return { type: 'null' };
}

function intValue(text: string): Constant | string {
  const negative = text.startsWith('-');
  const magnitude = readDigits(negative ? text.slice(1) : text);
  if (magnitude === undefined) return 'invalid int literal';
  const value = negative ? -magnitude : magnitude;
  return value < minInt || value > maxInt ? 'invalid int literal' : { type: 'int', value };
}

function uintValue(text: string): Constant | string {
  const value = readDigits(text.slice(0, -1));
  return value === undefined || value > maxUint ? 'invalid uint literal' : { type: 'uint', value };
}

function doubleValue(text: string): Constant | string {
  const value = Number(text);
  return Number.isFinite(value) ? { type: 'double', value } : 'invalid double literal';
}

const readDigits = (text: string): bigint | undefined =>
  /^(?:0x[0-9a-fA-F]+|[0-9]+)$/.test(text) ? BigInt(text) : undefined;
