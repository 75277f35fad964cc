import { typeParameters } from '../check/type.ts';
import {
  type CostRange,
  declaredSize,
  type Estimator,
  costOfOne,
  perChar,
  perPatternChar,
  addCosts,
  scaleCost,
  multiplyCosts,
  unknownSize,
} from '../estimate/estimator.ts';
import type { CelOperation } from '../run/frame.ts';
import { codePointLength } from '../syntax/code-points.ts';
import type { CallExpr, Expr } from '../syntax/ast.ts';
import { mapEntries, mapSize } from '../value/map-key.ts';
import { CelError, isCelList, isMap, type CelResult } from '../value/value.ts';

/** A function: one operation for all its overloads, and its cost. An overload in `overloadCosts` has its own cost. */
export type FunctionRow = readonly [
  name: string,
  operation: CelOperation,
  cost: FunctionCost,
  overloadCosts?: Readonly<Record<string, FunctionCost>>,
];

/** The cost of a call without its arguments. Follows apiserver pkg/cel/library/cost.go and cel-go checker/cost.go. */
export interface FunctionCost {
  readonly runtime: RuntimeCost;
  /** The estimate decides whether a CustomResourceDefinition with this call is accepted. */
  readonly estimate: (call: EstimatedCall) => CallEstimate;
}

/** The same for every call, or computed from its first two arguments (null for none) and its result. */
export type RuntimeCost = number | ((first: CelResult, second: CelResult, result: CelResult) => number);

export interface EstimatedCall {
  readonly estimator: Estimator;
  readonly expr: CallExpr;
  readonly overload: string;
  /** The receiver is the first. */
  readonly args: readonly Expr[];
  /** The size of an argument. */
  readonly size: (index: number) => CostRange;
}

export interface CallEstimate {
  readonly cost: CostRange;
  /** The size of the result, where the function decides it. */
  readonly size?: CostRange | undefined;
}

export const unitCost: FunctionCost = { runtime: 1, estimate: () => ({ cost: costOfOne }) };

/** Reads its first argument once. */
export const readCost: FunctionCost = {
  runtime: (text) => tenth(sizeOf(text)),
  estimate: ({ size }) => ({ cost: scaleCost(size(0), perChar) }),
};

/** Reads its first argument once; the estimate takes the result to be of the same size. */
export const convertCost: FunctionCost = {
  runtime: readCost.runtime,
  estimate: ({ size }) => ({ cost: scaleCost(size(0), perChar), size: size(0) }),
};

/** Searches its first argument for a pattern. */
export const patternCost: FunctionCost = {
  runtime: (text, pattern) => tenth(sizeOf(text) + 1) * Math.ceil(sizeOf(pattern) * 0.25),
  estimate: ({ size }) => ({
    cost: multiplyCosts(scaleCost(addCosts(size(0), costOfOne), perChar), scaleCost(size(1), perPatternChar)),
  }),
};

/** Reads every element of a list. */
export const traversalCost: FunctionCost = { runtime: (list) => traverse(list), estimate: estimateTraversal };

/** Every element costs 1; texts also cost their length. */
function estimateTraversal(call: EstimatedCall): CallEstimate {
  const { estimator, args, size } = call;
  const [element] = args[0] === undefined ? [] : typeParameters(estimator.typeOf(args[0]));
  if (element === undefined) return { cost: scaleCost(size(0), perChar) };
  const isText = element.kind === 'string' || element.kind === 'bytes';
  const perElement = isText ? addCosts(costOfOne, scaleCost(elementSize(call), perChar)) : costOfOne;
  return { cost: multiplyCosts(size(0), perElement) };
}

/** The size of the elements of the first argument, when the schema limits it. */
export function elementSize({ estimator, args }: EstimatedCall): CostRange {
  const path = args[0] === undefined ? [] : estimator.pathOf(args[0]);
  const isVariable = path.length > 0 && !path[0]?.startsWith('@result');
  return (isVariable ? declaredSize([...path, '@items'], estimator.sizeAt) : undefined) ?? unknownSize;
}

/** Scalars cost 1 each, strings and bytes a tenth of their length, rounded down. */
function traverse(value: CelResult | undefined): number {
  if (typeof value === 'string') return Math.floor(byteLength(value) * 0.1);
  if (value === undefined) return 1;
  if (value instanceof Uint8Array) return Math.floor(value.length * 0.1);
  if (isCelList(value)) return traverseOnce(value, () => sumOver(value, traverse));
  if (!isMap(value)) return 1;
  return traverseOnce(value, () => sumOver(mapEntries(value), ([key, element]) => traverse(key) + traverse(element)));
}

/** The costs of values with more lists and maps are cached: nested lists of the same lists would take minutes. */
const cacheThreshold = 4000;
let traversedCount = 0;
const knownCosts = new WeakMap<object, number>();

function traverseOnce(value: object, computeCost: () => number): number {
  const cached = knownCosts.get(value);
  if (cached !== undefined) return cached;
  const before = traversedCount;
  traversedCount += 1;
  const cost = computeCost();
  if (traversedCount - before > cacheThreshold) knownCosts.set(value, cost);
  return cost;
}

const exceedsEveryLimit = 20_000_000;

/** Stops once the sum exceeds every limit. */
export function sumOver<T>(list: readonly T[], costOf: (element: T) => number): number {
  let sum = 0;
  for (const element of list) {
    sum += costOf(element);
    if (sum >= exceedsEveryLimit) break;
  }
  return sum;
}

/** Texts of fewer than four characters cost nothing, however many bytes they have. */
const byteLength = (text: string): number => (text.length < 4 ? 0 : new TextEncoder().encode(text).length);

/** Code points, bytes, elements or entries; 1 for everything else, errors too. */
export function sizeOf(value: CelResult | undefined): number {
  if (typeof value === 'string') return codePointLength(value);
  if (typeof value !== 'object' || value === null || value instanceof CelError) return 1;
  if (isCelList(value) || value instanceof Uint8Array) return value.length;
  return isMap(value) ? mapSize(value) : 1;
}

export const tenth = (size: number): number => Math.ceil(size * 0.1);
