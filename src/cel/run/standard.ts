import { add, divide, modulo, multiply, negate, subtract } from '../value/arithmetic.ts';
import { codePointLength } from '../syntax/code-points.ts';
import { greater, greaterEquals, less, lessEquals } from '../value/compare.ts';
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toType, toUint } from '../value/convert.ts';
import { placeOf } from '../value/equality.ts';
import { lookup, mapSize } from '../value/map-key.ts';
import type { CelOperation, CelOperations } from './frame.ts';
import { timeOperations } from '../value/time-fields.ts';
import { isCelList, isMap, noSuchOverload, type CelResult, type Value } from '../value/value.ts';

/** `size(x)`: code points, bytes, elements or entries. */
function size(value: Value): CelResult {
  if (typeof value === 'string') return codePointLength(value);
  if (isCelList(value) || value instanceof Uint8Array) return value.length;
  return isMap(value) ? mapSize(value) : noSuchOverload;
}

function contained(needle: Value, haystack: Value): CelResult {
  if (isCelList(haystack)) return placeOf(haystack, needle) >= 0;
  return isMap(haystack) ? lookup(haystack, needle) !== undefined : noSuchOverload;
}

const onTexts =
  (test: (text: string, part: string) => boolean): CelOperation =>
  (text, part) =>
    typeof text === 'string' && typeof part === 'string' ? test(text, part) : noSuchOverload;

const not: CelOperation = (value) => (typeof value === 'boolean' ? !value : noSuchOverload);

/** The functions of the language itself. Follows cel-go common/stdlib/standard.go. */
export const standard: CelOperations = new Map<string, CelOperation>([
  ['_+_', add],
  ['_-_', subtract],
  ['_*_', multiply],
  ['_/_', divide],
  ['_%_', modulo],
  ['-_', negate],
  ['_<_', less],
  ['_<=_', lessEquals],
  ['_>_', greater],
  ['_>=_', greaterEquals],
  ['!_', not],
  ['@in', contained],
  ['size', size],
  ['bool', toBool],
  ['bytes', toBytes],
  ['double', toDouble],
  ['duration', toDuration],
  ['dyn', (value) => value],
  ['int', toInt],
  ['string', toText],
  ['timestamp', toTimestamp],
  ['type', toType],
  ['uint', toUint],
  ['contains', onTexts((text, part) => text.includes(part))],
  ['startsWith', onTexts((text, part) => text.startsWith(part))],
  ['endsWith', onTexts((text, part) => text.endsWith(part))],
  ...timeOperations,
]);
