import type { CallExpr, Expr } from '../syntax/ast.ts';
import { type CallEstimate, type CallSite, estimateLibraryCall } from './estimate-library.ts';
import {
  type CostRange,
  costUnion,
  type Estimator,
  fixed,
  joinEntries,
  largest,
  none,
  one,
  perChar,
  perPatternChar,
  plus,
  scaled,
  sizeOrUnknown,
  sum,
  times,
} from './estimator.ts';

const newList = fixed(11n);

/** Functions that make lists, and those of sets. Follows cel-go ext/lists.go and ext/sets.go. */
function estimateListCall(site: CallSite): CallEstimate | undefined {
  const { overload, target, args, size } = site;
  const [first, second] = args;
  switch (overload) {
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return { cost: plus(scaled(times(size(first), size(second)), 1), one) };
    case 'list_sets_equivalent_list':
      return { cost: plus(scaled(times(size(first), size(second)), 2), one) };
    case 'list_slice':
      return made(fixed((numberOf(second, size(target).max) - numberOf(first, 0n)) & largest), 1);
    case 'lists_range':
      return made(fixed(numberOf(first, largest)), 1);
    case 'list_reverse':
      return made(size(target), 1);
    case 'list_flatten':
      return made(size(target), 1);
    case 'list_flatten_int':
      return made(size(target), Number(numberOf(first, largest)));
    case 'list_distinct':
      return made(times(size(target), size(target)), 2);
    default:
      return estimateSort(site);
  }
}

function estimateSort({ name, overload, target, args, size }: CallSite): CallEstimate | undefined {
  if (name !== 'sort' && name !== '@sortByAssociatedKeys') return undefined;
  const keys = size(name === 'sort' ? target : args[0]);
  const perPair = /^list_(?:string|bytes)_/.test(overload) ? 2.1 : 2;
  return made(times(keys, keys), perPair);
}

const made = (size: CostRange, factor: number): CallEstimate => ({ cost: plus(scaled(size, factor), newList), size });

/** A number that is written out. */
function numberOf(expr: Expr | undefined, otherwise: bigint): bigint {
  if (expr?.type !== 'constant' || expr.constant.type !== 'int') return otherwise;
  return expr.constant.value & largest;
}

/** A call with its arguments; where several overloads are possible, all of them. Follows cel-go checker/cost.go. */
export function estimateCall(estimator: Estimator, expr: CallExpr): CostRange {
  if (expr.name === 'dyn') return dynCost(estimator, expr);
  const args = expr.args.map(estimator.cost);
  const reference = estimator.checked.references.get(expr.id);
  if (reference?.means !== 'function' || reference.overloads.length === 0) return none;
  // A function with a dotted name looks like a member of its prefix.
  const target = reference.name === expr.name ? expr.target : undefined;
  const targetCost = target === undefined ? none : estimator.cost(target);
  const size = (part: Expr | undefined): CostRange => sizeOrUnknown(estimator, part);
  let cost: CostRange = { min: largest, max: 0n };
  let result: CostRange | undefined;
  for (const overload of reference.overloads) {
    const site = { estimator, name: reference.name, overload, target, args: expr.args, size };
    const estimate = estimateOverload(site, expr, args);
    cost = costUnion(cost, estimate.cost);
    if (estimate.size !== undefined) result = result === undefined ? estimate.size : costUnion(result, estimate.size);
    result = indexResult(estimator, expr, overload) ?? result ?? estimator.sizeOf(expr);
  }
  estimator.setSize(expr, result);
  return plus(targetCost, cost);
}

/** `dyn(x)` only hides a type. */
function dynCost(estimator: Estimator, expr: CallExpr): CostRange {
  const [arg] = expr.args;
  if (arg === undefined) return none;
  const cost = estimator.cost(arg);
  estimator.setSize(expr, estimator.sizeOf(arg));
  estimator.setEntries(expr, estimator.entriesOf(arg));
  return plus(one, cost);
}

/** The path and the size of what an index finds. */
function indexResult(estimator: Estimator, expr: CallExpr, overload: string): CostRange | undefined {
  const [operand] = expr.args;
  if (operand === undefined || (overload !== 'index_list' && overload !== 'index_map')) return undefined;
  estimator.setPath(expr, [...estimator.pathOf(operand), overload === 'index_list' ? '@items' : '@values']);
  return estimator.entriesOf(operand)?.value;
}

function estimateOverload(site: CallSite, expr: CallExpr, args: readonly CostRange[]): CallEstimate {
  const [first = none, second = none, third = none] = args;
  if (site.overload === 'logical_and' || site.overload === 'logical_or') {
    return { cost: { min: first.min, max: plus(first, second).max } };
  }
  if (site.overload === 'conditional') return conditional(site, expr, plus(first, costUnion(second, third)));
  const estimate = estimateListCall(site) ?? estimateLibraryCall(site) ?? estimateStandard(site, expr);
  return { ...estimate, cost: plus(estimate.cost, sum(args)) };
}

function conditional({ estimator, args, size }: CallSite, expr: CallExpr, cost: CostRange): CallEstimate {
  const [, truthy, falsy] = args;
  estimator.setEntries(expr, truthy && falsy && joinEntries(estimator.entriesOf(truthy), estimator.entriesOf(falsy)));
  return { cost, size: costUnion(size(truthy), size(falsy)) };
}

function estimateStandard(site: CallSite, expr: CallExpr): CallEstimate {
  const { overload, args, size } = site;
  if (comparisons.has(overload)) return { cost: comparisonCost(size(args[0]), size(args[1])) };
  if (additions.has(overload)) return addition(site, expr);
  return standard[overload]?.(size(args[0]), site) ?? { cost: one };
}

const additions: ReadonlySet<string> = new Set(['add_string', 'add_bytes', 'add_list']);

const traversal = (text: CostRange): CallEstimate => ({ cost: scaled(text, perChar) });

/** The functions of the language whose cost depends on sizes, by overload; `first` is the size of the first argument. */
const standard: Readonly<Record<string, (first: CostRange, site: CallSite) => CallEstimate>> = {
  string_format: (_first, { target, size }) => traversal(size(target)),
  string_to_bytes: (first) => ({ ...traversal(first), size: { ...first, max: (first.max * 4n) & largest } }),
  bytes_to_string: (first) => ({ ...traversal(first), size: { ...first, min: first.min / 4n } }),
  strings_quote: (first) => ({ ...traversal(first), size: quotedSize(first) }),
  starts_with_string: traversal,
  ends_with_string: traversal,
  in_list: (_first, { args, size }) => ({ cost: scaled(size(args[1]), 1) }),
  matches_string: (first, { target, size }) => ({
    cost: times(scaled(plus(size(target), one), perChar), scaled(first, perPatternChar)),
  }),
  contains_string: (first, { target, size }) => ({
    cost: times(scaled(size(target), perChar), scaled(first, perChar)),
  }),
};

/** Upstream lets this one overflow. */
const quotedSize = ({ min, max }: CostRange): CostRange => ({
  min: (min + 2n) & largest,
  max: (max * 2n + 2n) & largest,
});

function addition({ estimator, overload, args, size }: CallSite, expr: CallExpr): CallEstimate {
  const [left, right] = args;
  const both = plus(size(left), size(right));
  estimator.setEntries(expr, left && right && joinEntries(estimator.entriesOf(left), estimator.entriesOf(right)));
  return { cost: overload === 'add_list' ? one : scaled(both, perChar), size: both };
}

const comparisons: ReadonlySet<string> = new Set([
  'equals',
  'not_equals',
  ...['less', 'less_equals', 'greater', 'greater_equals'].flatMap((name) => [`${name}_string`, `${name}_bytes`]),
]);

function comparisonCost(a: CostRange, b: CostRange): CostRange {
  const max = a.max < b.max ? a.max : b.max;
  return scaled({ min: max > 0n ? 1n : 0n, max }, perChar);
}
