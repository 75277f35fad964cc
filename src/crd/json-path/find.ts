import { isJsonObject, isList } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import type { Operand, Step } from './parse.ts';

/** How many more values may be looked at. */
export interface Search {
  left: number;
}

/** For one object: who asks wants the first of each path. */
export const createSearch = (): Search => ({ left: 50_000 });

/** What stands at a path; undefined when it cannot be followed. Missing fields are no fault. Follows client-go util/jsonpath/jsonpath.go. */
export function findAt(
  value: JsonValue,
  path: readonly Step[],
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
    case 'index':
    case 'slice':
    case 'filter':
      return allOf(values.filter((value) => value !== null).map((value) => itemsAt(value, step, search)));
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

type ListStep = Extract<Step, { step: 'index' | 'slice' | 'filter' }>;

function itemsAt(value: JsonValue, step: ListStep, search: Search): readonly JsonValue[] | undefined {
  if (!isList(value)) return undefined;
  if (step.step === 'filter') return filtered(value, step, search);
  if (step.step === 'slice') return sliced(value, step);
  const item = value.at(step.index);
  return item === undefined ? undefined : [item];
}

function sliced(items: readonly JsonValue[], step: Extract<Step, { step: 'slice' }>): readonly JsonValue[] | undefined {
  const { from = 0, to = items.length, by = 1 } = step;
  if (by <= 0) return undefined;
  return items.slice(from, to).filter((_item, index) => index % by === 0);
}

function filtered(
  items: readonly JsonValue[],
  step: Extract<Step, { step: 'filter' }>,
  search: Search,
): readonly JsonValue[] | undefined {
  const kept: JsonValue[] = [];
  for (const item of items) {
    const left = operandOf(item, step.left, search);
    const right = operandOf(item, step.right, search);
    if (left.length === 0 || right.length === 0) continue;
    const verdict = step.operator === 'exists' ? true : compare(left[0] ?? null, step.operator, right[0] ?? null);
    if (verdict === undefined || (step.operator !== 'exists' && left.length > 1)) return undefined;
    if (verdict) kept.push(item);
  }
  return kept;
}

const operandOf = (item: JsonValue, operand: Operand, search: Search): readonly JsonValue[] =>
  'path' in operand ? (findAt(item, operand.path, search) ?? []) : [operand.value];

/** undefined for values of types that cannot be compared. */
function compare(left: JsonValue, operator: string, right: JsonValue): boolean | undefined {
  if (typeof left === 'object' || typeof left !== typeof right || right === null) return undefined;
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
