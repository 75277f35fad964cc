import { isJsonObject, isList, type JsonValue } from '../../../machinery/json/json.ts';
import type { JsonPath, JsonPathStep, Slice } from './parse.ts';

/** The values left to visit for one object. */
export interface Search {
  left: number;
}

export const createSearch = (): Search => ({ left: 50_000 });

/** undefined for an invalid step; missing fields give no values. Follows client-go util/jsonpath/jsonpath.go. */
export function evaluatePath(
  value: JsonValue,
  path: JsonPath,
  search = createSearch(),
): readonly JsonValue[] | undefined {
  let found: readonly JsonValue[] | undefined = [value];
  for (const step of path) {
    found = found && takeStep(found, step, search);
    search.left -= found?.length ?? 0;
    if (found === undefined || search.left <= 0) return undefined;
  }
  return found;
}

function takeStep(values: readonly JsonValue[], step: JsonPathStep, search: Search): readonly JsonValue[] | undefined {
  switch (step.step) {
    case 'field':
      return values.flatMap((value) => fieldOf(value, step.name));
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap((value) => everythingIn(value, 0, search));
    case 'union':
      return allOf(step.branches.map((branch) => allOf(values.map((value) => evaluatePath(value, branch, search)))));
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

/** Out-of-range bounds are an error unless the slice is empty. Follows evalArray. */
function sliced(items: JsonValue, { from, to, by, isOne }: Slice): readonly JsonValue[] | undefined {
  if (!isList(items)) return undefined;
  const { length } = items;
  const start = from < 0 ? from + length : from;
  const requested = to ?? length;
  const end = requested < 0 || (requested === 0 && isOne) ? requested + length : requested;
  if (start === end) return [];
  if (start < 0 || end > length || start > end || by <= 0) return undefined;
  return items.slice(start, end).filter((_item, index) => index % by === 0);
}

type Filter = Extract<JsonPathStep, { step: 'filter' }>;

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
  const lefts = evaluatePath(item, left, search);
  if (operator === 'exists') return lefts !== undefined && lefts.length > 0;
  if (lefts?.length === 0) return false;
  const rights = isOne(lefts) ? evaluatePath(item, right, search) : undefined;
  if (rights?.length === 0) return false;
  return isOne(lefts) && isOne(rights) ? compare(lefts[0], operator, rights[0]) : undefined;
}

const isOne = (found: readonly JsonValue[] | undefined): found is readonly [JsonValue] => found?.length === 1;

type Scalar = Exclude<JsonValue, object | null>;

const isScalar = (value: JsonValue): value is Scalar => typeof value !== 'object';

/** Integers and floats are incomparable; booleans have no order. */
function areComparable(left: Scalar, operator: string, right: Scalar): boolean {
  const kind = kindOf(left);
  return kind === kindOf(right) && (kind !== 'boolean' || operator === '==' || operator === '!=');
}

function kindOf(value: Scalar): string {
  if (typeof value === 'bigint') return 'integer';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** undefined for incomparable types. */
function compare(left: JsonValue, operator: string, right: JsonValue): boolean | undefined {
  if (!isScalar(left) || !isScalar(right) || !areComparable(left, operator, right)) return undefined;
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
