import { sameType, typeName } from '../check/type.ts';
import {
  type CostRange,
  unionCosts,
  joinEntries,
  maxUint64,
  costOfOne,
  perChar,
  addCosts,
  scaleCost,
  multiplyCosts,
} from '../estimate/estimator.ts';
import type { CelOperation } from '../run/frame.ts';
import { codePointLength, codePointsUpTo } from '../syntax/code-points.ts';
import { add, divide, modulo, multiply, negate, subtract } from '../value/arithmetic.ts';
import { greater, greaterEquals, less, lessEquals, equals, indexOfValue } from '../value/compare.ts';
import { toBool, toBytes, toDouble, toDuration, toInt, toText, toTimestamp, toType, toUint } from '../value/convert.ts';
import { lookup, mapSize } from '../value/map-key.ts';
import {
  Box,
  type CelError,
  isCelList,
  isMap,
  listKindOf,
  noSuchOverload,
  type CelResult,
  type Value,
} from '../value/value.ts';
import {
  type CallEstimate,
  type EstimatedCall,
  type FunctionCost,
  type FunctionRow,
  readCost,
  type RuntimeCost,
  sizeOf,
  tenth,
  unitCost,
} from './cel-function.ts';
import { timeFunctions } from './time-fields.ts';

/** `size(x)`: code points, bytes, elements or entries. */
function size(value: Value): CelResult {
  if (typeof value === 'string') return codePointLength(value);
  if (isCelList(value) || value instanceof Uint8Array) return value.length;
  return isMap(value) ? mapSize(value) : noSuchOverload;
}

function isIn(needle: Value, haystack: Value): CelResult {
  if (isCelList(haystack)) return indexOfValue(haystack, needle) >= 0;
  return isMap(haystack) ? lookup(haystack, needle) !== undefined : noSuchOverload;
}

const onTexts =
  (test: (text: string, part: string) => boolean): CelOperation =>
  (text, part) =>
    typeof text === 'string' && typeof part === 'string' ? test(text, part) : noSuchOverload;

const not: CelOperation = (value) => (typeof value === 'boolean' ? !value : noSuchOverload);

/** Kubernetes' own types, and the objects, sets and maps of a schema, compare with values of the same type only. */
function comparisonError(a: Value, b: Value): CelError | undefined {
  if (typeof a !== 'object' || a === null || b === null) return undefined;
  if (isCelList(a)) {
    const kind = listKindOf(a);
    return kind && (isCelList(b) ? kind.operandError(b) : noSuchOverload);
  }
  if (!(a instanceof Box)) return undefined;
  const isSameType =
    a.kind === 'object' ? isMap(b) : !kubernetesTypes.has(a.kind) || (b instanceof Box && b.kind === a.kind);
  return isSameType ? undefined : noSuchOverload;
}

const kubernetesTypes: ReadonlySet<string> = new Set([
  'url',
  'ip',
  'cidr',
  'quantity',
  'semver',
  'format',
  'authorizer',
]);

const compareTexts: RuntimeCost = (a, b) =>
  typeof a === 'string' && typeof b === 'string' ? compareStrings(a, b) : tenth(Math.min(sizeOf(a), sizeOf(b)));

/** Counts code points only where they decide: not in short texts, nor in one that is more than twice as long. */
function compareStrings(a: string, b: string): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const { length } = short;
  if (length <= 10) return length === 0 ? 0 : 1;
  if (short === long || length * 2 <= long.length) return tenth(codePointLength(short));
  return tenth(codePointsUpTo(long, codePointLength(short)));
}

/** A tenth of the smaller side. */
const comparisonCost: FunctionCost = {
  runtime: compareTexts,
  estimate: ({ size }) => {
    const max = size(0).max < size(1).max ? size(0).max : size(1).max;
    return { cost: scaleCost({ min: max > 0n ? 1n : 0n, max }, perChar) };
  },
};

const equalityCost: FunctionCost = {
  runtime: compareTexts,
  estimate: (call) => estimateKubernetesEquality(call) ?? comparisonCost.estimate(call),
};

const scalarTypes = /^(?:net\.(?:IP|CIDR)|kubernetes\.(?:Quantity|Semver|authorization\..*))$/;
const maxFormatLength = 64n;

/** Values of Kubernetes' own types. Follows apiserver pkg/cel/library/cost.go. */
function estimateKubernetesEquality({ estimator, args: [left, right] }: EstimatedCall): CallEstimate | undefined {
  if (left === undefined || right === undefined) return undefined;
  const type = estimator.typeOf(left);
  if (!sameType(type, estimator.typeOf(right))) return undefined;
  const name = typeName(type);
  if (scalarTypes.test(name)) return { cost: costOfOne };
  if (name === 'kubernetes.NamedFormat') return { cost: scaleCost({ min: 1n, max: maxFormatLength }, perChar) };
  if (name !== 'kubernetes.URL') return undefined;
  const [a, b] = [estimator.sizeOf(left), estimator.sizeOf(right)];
  return { cost: scaleCost({ min: 1n, max: a && b ? unionCosts(a, b).max : 1n }, perChar) };
}

const orderCosts = (name: string): Readonly<Record<string, FunctionCost>> => ({
  [`${name}_string`]: comparisonCost,
  [`${name}_bytes`]: comparisonCost,
});

/** The sizes of both operands together. */
function joinOperands({ estimator, expr, args: [left, right], size }: EstimatedCall): CostRange {
  estimator.setEntries(expr, left && right && joinEntries(estimator.entriesOf(left), estimator.entriesOf(right)));
  return addCosts(size(0), size(1));
}

const concatenateTexts: FunctionCost = {
  runtime: (a, b) => tenth(sizeOf(a) + sizeOf(b)),
  estimate: (call) => {
    const both = joinOperands(call);
    return { cost: scaleCost(both, perChar), size: both };
  },
};

const concatenateLists: FunctionCost = {
  runtime: 1,
  estimate: (call) => ({ cost: costOfOne, size: joinOperands(call) }),
};

const textToBytes: FunctionCost = {
  runtime: readCost.runtime,
  estimate: (call) => {
    const { min, max } = call.size(0);
    return { ...readCost.estimate(call), size: { min, max: (max * 4n) & maxUint64 } };
  },
};

const bytesToText: FunctionCost = {
  runtime: readCost.runtime,
  estimate: (call) => {
    const { min, max } = call.size(0);
    return { ...readCost.estimate(call), size: { min: min / 4n, max } };
  },
};

/** `dyn(x)` only hides a type. */
const dynCost: FunctionCost = {
  runtime: 1,
  estimate: ({ estimator, expr, args: [arg] }) => {
    if (arg !== undefined) estimator.setEntries(expr, estimator.entriesOf(arg));
    return { cost: costOfOne, size: arg && estimator.sizeOf(arg) };
  },
};

const membershipCost: FunctionCost = {
  runtime: (_needle, list) => sizeOf(list),
  estimate: ({ size }) => ({ cost: scaleCost(size(1), 1) }),
};

const containsCost: FunctionCost = {
  runtime: (text, part) => tenth(sizeOf(text)) * tenth(sizeOf(part)),
  estimate: ({ size }) => ({ cost: multiplyCosts(scaleCost(size(0), perChar), scaleCost(size(1), perChar)) }),
};

/** The estimate is by the prefix or suffix, the runtime cost by the text, as in cel-go. */
const affixCost: FunctionCost = {
  runtime: readCost.runtime,
  estimate: ({ size }) => ({ cost: scaleCost(size(1), perChar) }),
};

/** The functions of the language itself. Follows cel-go common/stdlib/standard.go. */
export const standardFunctions: readonly FunctionRow[] = [
  ['_==_', (a, b) => comparisonError(a, b) ?? equals(a, b), equalityCost],
  ['_!=_', (a, b) => comparisonError(a, b) ?? !equals(a, b), comparisonCost],
  ['_+_', add, unitCost, { add_string: concatenateTexts, add_bytes: concatenateTexts, add_list: concatenateLists }],
  ['_-_', subtract, unitCost],
  ['_*_', multiply, unitCost],
  ['_/_', divide, unitCost],
  ['_%_', modulo, unitCost],
  ['-_', negate, unitCost],
  ['_<_', less, unitCost, orderCosts('less')],
  ['_<=_', lessEquals, unitCost, orderCosts('less_equals')],
  ['_>_', greater, unitCost, orderCosts('greater')],
  ['_>=_', greaterEquals, unitCost, orderCosts('greater_equals')],
  ['!_', not, unitCost],
  ['@in', isIn, unitCost, { in_list: membershipCost }],
  ['size', size, unitCost],
  ['bool', toBool, unitCost],
  ['bytes', toBytes, unitCost, { string_to_bytes: textToBytes }],
  ['double', toDouble, unitCost],
  ['duration', toDuration, unitCost],
  ['dyn', (value) => value, dynCost],
  ['int', toInt, unitCost],
  ['string', toText, unitCost, { bytes_to_string: bytesToText }],
  ['timestamp', toTimestamp, unitCost],
  ['type', toType, unitCost],
  ['uint', toUint, unitCost],
  ['contains', onTexts((text, part) => text.includes(part)), containsCost],
  ['startsWith', onTexts((text, part) => text.startsWith(part)), affixCost],
  ['endsWith', onTexts((text, part) => text.endsWith(part)), affixCost],
  ...timeFunctions,
];
