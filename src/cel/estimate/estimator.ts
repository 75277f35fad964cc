import type { Checked } from '../check/checker.ts';
import { type Type, unwrapOptional } from '../check/type.ts';
import type { Expr } from '../syntax/ast.ts';
import { codePointLength } from '../syntax/code-points.ts';

/** The least and the most that a size or a cost can be; 64 bits without sign, which stay at the largest number. */
export interface CostRange {
  readonly min: bigint;
  readonly max: bigint;
}

export const maxUint64 = 2n ** 64n - 1n;

export const fixedCost = (value: bigint): CostRange => ({ min: value, max: value });
export const zeroCost: CostRange = fixedCost(0n);
export const costOfOne: CostRange = fixedCost(1n);
export const unknownSize: CostRange = { min: 0n, max: maxUint64 };

export const capCost = (value: bigint): bigint => (value > maxUint64 ? maxUint64 : value);

export const addCosts = (a: CostRange, b: CostRange): CostRange => ({
  min: capCost(a.min + b.min),
  max: capCost(a.max + b.max),
});
export const multiplyCosts = (a: CostRange, b: CostRange): CostRange => ({
  min: capCost(a.min * b.min),
  max: capCost(a.max * b.max),
});

/** Multiplied as doubles, as upstream does, and rounded up. */
export const scaleCost = ({ min, max }: CostRange, factor: number): CostRange => ({
  min: multiplyByFactor(min, factor),
  max: multiplyByFactor(max, factor),
});

function multiplyByFactor(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= 2 ** 64 ? maxUint64 : BigInt(product);
}

export const unionCosts = (a: CostRange, b: CostRange): CostRange => ({
  min: a.min < b.min ? a.min : b.min,
  max: a.max > b.max ? a.max : b.max,
});

export const sumCosts = (costs: readonly CostRange[]): CostRange => costs.reduce(addCosts, zeroCost);

export const perChar = 0.1;
export const perPatternChar = 0.25;

/** From a variable to a value: field names, `@items`, `@keys`, `@values`. */
export type EstimatedPath = readonly string[];

/** The size of the value at a path, when the schema limits it. */
export type SizeAt = (path: EstimatedPath) => CostRange | undefined;

/** The sizes of the keys or indices and of the values of a list or a map. */
export interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: CostRange;
  readonly value: CostRange;
}

export interface LoopVariable {
  readonly path: EstimatedPath;
  readonly size: CostRange | undefined;
  readonly entries: EntrySizes | undefined;
}

/** State that the estimates of the parts of one expression share. Follows cel-go checker/cost.go. */
export interface Estimator {
  readonly checked: Checked;
  readonly sizeAt: SizeAt;
  readonly cost: (expr: Expr) => CostRange;
  readonly typeOf: (expr: Expr) => Type;
  readonly pathOf: (expr: Expr) => EstimatedPath;
  readonly setPath: (expr: Expr, path: EstimatedPath) => void;
  readonly sizeOf: (expr: Expr) => CostRange | undefined;
  readonly setSize: (expr: Expr, size: CostRange | undefined) => void;
  readonly entriesOf: (expr: Expr) => EntrySizes | undefined;
  readonly setEntries: (expr: Expr, entries: EntrySizes | undefined) => void;
  readonly local: (name: string) => LoopVariable | undefined;
  /** Gives names a meaning while `body` runs. */
  readonly within: <T>(variables: readonly (readonly [string, LoopVariable])[], body: () => T) => T;
}

export function createEstimator(
  checked: Checked,
  sizeAt: SizeAt,
  costOf: (estimator: Estimator, expr: Expr) => CostRange,
): Estimator {
  const paths = new Map<number, EstimatedPath>();
  const sizes = new Map<number, CostRange>();
  const entries = new Map<number, EntrySizes>();
  const scopes: (readonly [string, LoopVariable])[] = [];
  const local = (name: string): LoopVariable | undefined => scopes.findLast(([scoped]) => scoped === name)?.[1];
  const localOf = (expr: Expr): LoopVariable | undefined => (expr.type === 'ident' ? local(expr.name) : undefined);
  const pathOf = (expr: Expr): EstimatedPath => localOf(expr)?.path ?? paths.get(expr.id) ?? [];
  const typeOf = (expr: Expr): Type => checked.typeOf(expr.id);
  const sizeOf = (expr: Expr): CostRange | undefined => {
    const size = sizes.get(expr.id) ?? literalSize(expr) ?? declaredSize(pathOf(expr), sizeAt);
    return size ?? (isScalar(typeOf(expr)) ? costOfOne : localOf(expr)?.size);
  };
  const estimator: Estimator = {
    checked,
    sizeAt,
    cost: (expr) => costOf(estimator, expr),
    typeOf,
    pathOf,
    setPath: (expr, path) => {
      paths.set(expr.id, path);
    },
    sizeOf,
    setSize: (expr, size) => {
      if (size !== undefined) sizes.set(expr.id, size);
    },
    entriesOf: (expr) => entries.get(expr.id) ?? localOf(expr)?.entries,
    setEntries: (expr, entrySizes) => {
      if (entrySizes !== undefined) entries.set(expr.id, entrySizes);
    },
    local,
    within: (variables, body) => {
      scopes.push(...variables);
      const result = body();
      scopes.length -= variables.length;
      return result;
    },
  };
  return estimator;
}

export const declaredSize = (path: EstimatedPath, sizeAt: SizeAt): CostRange | undefined =>
  path.length === 0 ? undefined : sizeAt(path);

export const sizeOrUnknown = (estimator: Estimator, expr: Expr | undefined): CostRange =>
  (expr && estimator.sizeOf(expr)) ?? unknownSize;

export const joinEntries = (a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined =>
  a && b && { container: a.container, key: unionCosts(a.key, b.key), value: unionCosts(a.value, b.value) };

/** The size of a literal. */
function literalSize(expr: Expr): CostRange | undefined {
  if (expr.type === 'list') return fixedCost(BigInt(expr.elements.length));
  if (expr.type === 'map') return fixedCost(BigInt(expr.entries.length));
  if (expr.type !== 'constant') return undefined;
  const { constant } = expr;
  if (constant.type === 'string') return fixedCost(BigInt(codePointLength(constant.value)));
  return constant.type === 'bytes' ? fixedCost(BigInt(constant.value.length)) : costOfOne;
}

const scalars: ReadonlySet<string> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: Type): boolean {
  const inner = unwrapOptional(type);
  return inner === undefined ? scalars.has(type.kind) : isScalar(inner);
}
