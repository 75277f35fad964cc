import { isJsonObject, isList, type JsonValue } from '../../../machinery/json/json.ts';
import type { JsonPath, JsonPathStep, Slice } from './parse.ts';

/** The values left to visit for one object. */
export interface SearchBudget {
  left: number;
}

export const createSearchBudget = (): SearchBudget => ({ left: 50_000 });

/** undefined for an invalid step; missing fields give no values. Follows client-go util/jsonpath/jsonpath.go. */
export function evaluatePath(
  value: JsonValue,
  path: JsonPath,
  search = createSearchBudget(),
): readonly JsonValue[] | undefined {
  let found: readonly JsonValue[] | undefined = [value];
  for (const step of path) {
    found = found && evaluateStep(found, step, search);
    search.left -= found?.length ?? 0;
    if (found === undefined || search.left <= 0) return undefined;
  }
  return found;
}

function evaluateStep(
  values: readonly JsonValue[],
  step: JsonPathStep,
  search: SearchBudget,
): readonly JsonValue[] | undefined {
  switch (step.step) {
    case 'field':
      return values.flatMap((value) => readField(value, step.name));
    case 'wildcard':
      return values.flatMap(listChildren);
    case 'recursive':
      return values.flatMap((value) => listDescendants(value, 0, search));
    case 'union':
      return flattenDefined(
        step.branches.map((branch) => flattenDefined(values.map((value) => evaluatePath(value, branch, search)))),
      );
    case 'slice':
      return flattenDefined(values.filter((value) => value !== null).map((value) => evaluateSlice(value, step)));
    case 'filter':
      return flattenDefined(values.map((value) => evaluateFilter(value, step, search)));
    case 'value':
      return typeof step.value === 'string' ? [step.value] : values.map(() => step.value);
    case 'word':
      return undefined;
  }
}

function flattenDefined(lists: readonly (readonly JsonValue[] | undefined)[]): readonly JsonValue[] | undefined {
  const found: JsonValue[] = [];
  for (const list of lists) {
    if (list === undefined) return undefined;
    found.push(...list);
  }
  return found;
}

function readField(value: JsonValue, name: string): readonly JsonValue[] {
  const found = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return found === undefined ? [] : [found];
}

function listChildren(value: JsonValue): readonly JsonValue[] {
  if (isList(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.values(value).filter((inner) => inner !== undefined);
}

const maxDepth = 100;

function listDescendants(value: JsonValue, depth: number, search: SearchBudget): readonly JsonValue[] {
  const children = listChildren(value);
  if (children.length === 0 || depth > maxDepth || search.left <= 0) return [];
  search.left -= children.length;
  return [value, ...children.flatMap((child) => listDescendants(child, depth + 1, search))];
}

/** Out-of-range bounds are an error unless the slice is empty. Follows evalArray. */
function evaluateSlice(items: JsonValue, { from, to, by, isOne }: Slice): readonly JsonValue[] | undefined {
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

function evaluateFilter(items: JsonValue, step: Filter, search: SearchBudget): readonly JsonValue[] | undefined {
  if (!isList(items)) return undefined;
  const kept: JsonValue[] = [];
  for (const item of items) {
    const verdict = matchesFilter(item, step, search);
    if (verdict === undefined) return undefined;
    if (verdict) kept.push(item);
  }
  return kept;
}

function matchesFilter(item: JsonValue, { left, operator, right }: Filter, search: SearchBudget): boolean | undefined {
  const lefts = evaluatePath(item, left, search);
  if (operator === 'exists') return lefts !== undefined && lefts.length > 0;
  if (lefts?.length === 0) return false;
  const rights = isSingle(lefts) ? evaluatePath(item, right, search) : undefined;
  if (rights?.length === 0) return false;
  return isSingle(lefts) && isSingle(rights) ? compare(lefts[0], operator, rights[0]) : undefined;
}

const isSingle = (found: readonly JsonValue[] | undefined): found is readonly [JsonValue] => found?.length === 1;

type Scalar = Exclude<JsonValue, object | null>;

const isScalar = (value: JsonValue): value is Scalar => typeof value !== 'object';

/** Integers and floats are incomparable; booleans have no order. */
function areComparable(left: Scalar, operator: string, right: Scalar): boolean {
  const kind = readScalarKind(left);
  return kind === readScalarKind(right) && (kind !== 'boolean' || operator === '==' || operator === '!=');
}

function readScalarKind(value: Scalar): string {
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
