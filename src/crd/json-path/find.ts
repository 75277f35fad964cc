import { isJsonObject, isList } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { Path, Slice, Step } from './parse.ts';

/** How many more values may be looked at. */
export interface Search {
  left: number;
}

/** For one object: who asks wants the first of each path. */
export const createSearch = (): Search => ({ left: 50_000 });

/** What stands at a path; undefined when it cannot be followed. Missing fields are no fault. Follows client-go util/jsonpath/jsonpath.go. */
export function findAt(value: JsonValue, path: Path, search = createSearch()): readonly JsonValue[] | undefined {
  let found: readonly JsonValue[] | undefined = [value];
  for (const step of path) {
    found = found && takeStep(found, step, search);
    search.left -= found?.length ?? 0;
    if (found === undefined || search.left <= 0) return undefined;
  }
  return found;
}

function takeStep(values: readonly JsonValue[], step: Step, search: Search): readonly JsonValue[] | undefined {
  switch (step.step) {
    case 'field':
      return values.flatMap((value) => fieldOf(value, step.name));
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap((value) => everythingIn(value, 0, search));
    case 'union':
      return allOf(step.branches.map((branch) => allOf(values.map((value) => findAt(value, branch, search)))));
    case 'slice':
      return allOf(values.filter((value) => value !== null).map((value) => sliced(value, step)));
    case 'filter':
      return allOf(values.map((value) => filtered(value, step, search)));
    case 'value':
      return typeof step.value === 'string' ? [step.value] : values.map(() => step.value);
    case 'word':
      return undefined;
  }
}

/** undefined when one of them is. */
function allOf(lists: readonly (readonly JsonValue[] | undefined)[]): readonly JsonValue[] | undefined {
  const found: JsonValue[] = [];
  for (const list of lists) {
    if (list === undefined) return undefined;
    found.push(...list);
  }
  return found;
}

function fieldOf(value: JsonValue, name: string): readonly JsonValue[] {
  const found = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return found === undefined ? [] : [found];
}

function childrenOf(value: JsonValue): readonly JsonValue[] {
  if (isList(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.values(value).filter((inner) => inner !== undefined);
}

const deepest = 100;

function everythingIn(value: JsonValue, depth: number, search: Search): readonly JsonValue[] {
  const children = childrenOf(value);
  if (children.length === 0 || depth > deepest || search.left <= 0) return [];
  search.left -= children.length;
  return [value, ...children.flatMap((child) => everythingIn(child, depth + 1, search))];
}

/** Follows evalArray there: what lies beyond the ends is a fault, nothing of no length. */
function sliced(items: JsonValue, { from, to, by, isOne }: Slice): readonly JsonValue[] | undefined {
  if (!isList(items)) return undefined;
  const { length } = items;
  const start = from < 0 ? from + length : from;
  const asked = to ?? length;
  const end = asked < 0 || (asked === 0 && isOne) ? asked + length : asked;
  if (start === end) return [];
  if (start < 0 || end > length || start > end || by <= 0) return undefined;
  return items.slice(start, end).filter((_item, index) => index % by === 0);
}

type Filter = Extract<Step, { step: 'filter' }>;

function filtered(items: JsonValue, step: Filter, search: Search): readonly JsonValue[] | undefined {
  if (!isList(items)) return undefined;
  const kept: JsonValue[] = [];
  for (const item of items) {
    const verdict = isKept(item, step, search);
    if (verdict === undefined) return undefined;
    if (verdict) kept.push(item);
  }
  return kept;
}

function isKept(item: JsonValue, { left, operator, right }: Filter, search: Search): boolean | undefined {
  const lefts = findAt(item, left, search);
  if (operator === 'exists') return lefts !== undefined && lefts.length > 0;
  const rights = lefts?.length === 1 ? findAt(item, right, search) : [];
  const [one, other] = [lefts?.[0], rights?.[0]];
  if (lefts === undefined || lefts.length > 1 || rights === undefined || rights.length > 1) return undefined;
  return one === undefined || other === undefined ? false : compare(one, operator, other);
}

/** undefined for values of types that cannot be compared. */
function compare(left: JsonValue, operator: string, right: JsonValue): boolean | undefined {
  const kind = kindOf(left);
  if (kind === 'object' || kind !== kindOf(right) || left === null || right === null) return undefined;
  if (kind === 'boolean' && operator !== '==' && operator !== '!=') return undefined;
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return undefined;
  }
}

/** Whole numbers and others cannot be compared. */
function kindOf(value: JsonValue): string {
  if (typeof value === 'bigint') return 'integer';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
