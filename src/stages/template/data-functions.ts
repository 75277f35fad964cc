import { isJsonObject, isList, setOwn } from '../../apimachinery/json.ts';
import type { JsonObject, JsonValue } from '../../apimachinery/json.ts';
import { sameJson } from '../../apimachinery/json-equal.ts';
import { TemplateFault } from './fault.ts';
import type { TemplateFunction } from './render.ts';
import type { Value } from './tree.ts';
import { isTrue, numberOf, textOf } from './value.ts';

/** Functions on numbers, lists and maps that Sprig adds to Go's. Follows github.com/Masterminds/sprig functions.go. */
export const dataFunctions: Readonly<Record<string, TemplateFunction>> = {
  default: (otherwise, value) => (isTrue(value) ? value : otherwise),
  empty: (value) => !isTrue(value),
  coalesce: (...values) => values.find(isTrue),
  ternary: (yes, no, test) => (isTrue(test) ? yes : no),
  fail: (message) => {
    throw new TemplateFault(textOf(message));
  },
  int: (value) => Math.trunc(numberOf(value)),
  int64: (value) => Math.trunc(numberOf(value)),
  float64: numberOf,
  add: (...values) => whole(values).reduce((sum, value) => sum + value, 0),
  add1: (value) => Math.trunc(numberOf(value)) + 1,
  sub: (a, b) => whole([a])[0] - whole([b])[0],
  mul: (...values) => whole(values).reduce((product, value) => product * value, 1),
  div: (a, b) => Math.trunc(Math.trunc(numberOf(a)) / divisor(b)),
  mod: (a, b) => Math.trunc(numberOf(a)) % divisor(b),
  max: (...values) => Math.max(...whole(values)),
  min: (...values) => Math.min(...whole(values)),
  list: (...values) => values.map((value) => value ?? null),
  dict: dictionary,
  get: (map, key) => (isJsonObject(map) && Object.hasOwn(map, textOf(key)) ? map[textOf(key)] : ''),
  hasKey: (map, key) => isJsonObject(map) && Object.hasOwn(map, textOf(key)),
  keys: (map) => Object.keys(mapOf(map)),
  values: (map) => Object.values(mapOf(map)).map((value) => value ?? null),
  first: (list) => listOf(list)[0],
  last: (list) => listOf(list).at(-1),
  rest: (list) => listOf(list).slice(1),
  initial: (list) => listOf(list).slice(0, -1),
  append: (list, value) => [...listOf(list), value ?? null],
  prepend: (list, value) => [value ?? null, ...listOf(list)],
  concat: (...lists) => lists.flatMap(listOf),
  reverse: (list) => listOf(list).toReversed(),
  has: (value, list) => listOf(list).some((item) => sameJson(item, value ?? null)),
  until: (count) => {
    const length = numberOf(count);
    if (!(length <= 10_000)) throw new TemplateFault('until takes up to 10000');
    return Array.from({ length: Math.max(0, length) }, (_, at) => at);
  },
};

const whole = (values: readonly Value[]): readonly [number, ...number[]] => {
  const [first = 0, ...others] = values.map((value) => Math.trunc(numberOf(value)));
  return [first, ...others];
};

function divisor(value: Value): number {
  const number = Math.trunc(numberOf(value));
  if (number === 0) throw new TemplateFault('integer divide by zero');
  return number;
}

function dictionary(...entries: readonly Value[]): JsonObject {
  const map: JsonObject = {};
  for (let at = 0; at < entries.length; at += 2) setOwn(map, textOf(entries[at]), entries[at + 1] ?? '');
  return map;
}

const mapOf = (value: Value): JsonObject => (isJsonObject(value) ? value : {});

function listOf(value: Value): readonly JsonValue[] {
  if (isList(value)) return value;
  if (value === undefined || value === null) return [];
  throw new TemplateFault('a list is expected');
}
