import type { Expr } from '../syntax/ast.ts';
import type { CallEstimate, CallSite } from './call-site.ts';
import { fixed, largest, one, plus, scaled, times } from './span.ts';
import type { Span } from './span.ts';

const newList = fixed(11n);

/** Functions that make lists, and those of sets. Follows cel-go ext/lists.go and ext/sets.go. */
export function estimateListCall(site: CallSite): CallEstimate | undefined {
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

const made = (size: Span, factor: number): CallEstimate => ({ cost: plus(scaled(size, factor), newList), size });

/** A number that is written out. */
function numberOf(expr: Expr | undefined, otherwise: bigint): bigint {
  if (expr?.type !== 'constant' || expr.constant.type !== 'int') return otherwise;
  return expr.constant.value & largest;
}
