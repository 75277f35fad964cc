import { isJsonObject, isList } from '../../apimachinery/json.ts';
import type { JsonValue } from '../../apimachinery/json.ts';
import { writeJson } from '../../apimachinery/json-writer.ts';
import { QueryFault } from './tree.ts';
import type { Query } from './tree.ts';
import { isTruth, itemsOf, memberOf, numberFrom, orderOf, textFrom } from './values.ts';

export type Values = Iterable<JsonValue>;
export type Run = (query: Query, input: JsonValue) => Values;

/** A function of jq: its input, its arguments as queries, and what runs them. */
export type JqFunction = (input: JsonValue, args: readonly Query[], run: Run) => Values;

/** From one value to one. */
const plain =
  (make: (input: JsonValue) => JsonValue): JqFunction =>
  (input) => [make(input)];

/** The same with one argument, of which only the first value counts. */
const withOne =
  (make: (input: JsonValue, argument: JsonValue) => JsonValue): JqFunction =>
  (input, args, run) => [make(input, firstOf(args[0], input, run))];

/** Goes through the items of the input. */
const overItems =
  (make: (items: readonly JsonValue[], of: (item: JsonValue) => readonly JsonValue[]) => JsonValue): JqFunction =>
  (input, args, run) => [make(itemsOf(input), (item) => allOf(args[0], item, run))];

const allOf = (query: Query | undefined, input: JsonValue, run: Run): readonly JsonValue[] =>
  query ? [...run(query, input)] : [input];

function firstOf(query: Query | undefined, input: JsonValue, run: Run): JsonValue {
  for (const value of query ? run(query, input) : []) return value;
  throw new QueryFault('an argument makes no value');
}

/** By name and number of arguments. */
export const jqFunctions: ReadonlyMap<string, JqFunction> = new Map<string, JqFunction>([
  ['empty/0', () => []],
  ['not/0', plain((input) => !isTruth(input))],
  [
    'select/1',
    (input, args, run) =>
      allOf(args[0], input, run)
        .filter(isTruth)
        .map(() => input),
  ],
  ['map/1', overItems((items, of) => items.flatMap(of))],
  ['any/0', overItems((items) => items.some(isTruth))],
  ['all/0', overItems((items) => items.every(isTruth))],
  ['any/1', overItems((items, of) => items.some((item) => of(item).some(isTruth)))],
  ['all/1', overItems((items, of) => items.every((item) => of(item).every(isTruth)))],
  ['first/0', plain((input) => memberOf(input, 0))],
  ['last/0', plain((input) => memberOf(input, -1))],
  ['first/1', (input, args, run) => allOf(args[0], input, run).slice(0, 1)],
  ['length/0', plain(lengthOf)],
  ['keys/0', plain((input) => (isList(input) ? [...input.keys()] : Object.keys(objectFrom(input)).toSorted()))],
  [
    'has/1',
    withOne((input, key) =>
      isList(input) ? numberFrom(key) < input.length : Object.hasOwn(objectFrom(input), textFrom(key)),
    ),
  ],
  ['add/0', plain((input) => itemsOf(input).reduce(sum, null))],
  ['sort/0', plain((input) => itemsOf(input).toSorted(orderOf))],
  [
    'unique/0',
    plain((input) =>
      itemsOf(input)
        .toSorted(orderOf)
        .filter((item, at, all) => at === 0 || orderOf(all[at - 1] ?? null, item) !== 0),
    ),
  ],
  ['min/0', plain((input) => itemsOf(input).toSorted(orderOf)[0] ?? null)],
  ['max/0', plain((input) => itemsOf(input).toSorted(orderOf).at(-1) ?? null)],
  ['type/0', plain(typeOf)],
  ['tostring/0', plain((input) => (typeof input === 'string' ? input : writeJson(input)))],
  ['tonumber/0', plain(toNumber)],
  ['floor/0', plain((input) => Math.floor(numberFrom(input)))],
  ['ascii_downcase/0', plain((input) => textFrom(input).toLowerCase())],
  ['ascii_upcase/0', plain((input) => textFrom(input).toUpperCase())],
  ['startswith/1', withOne((input, part) => textFrom(input).startsWith(textFrom(part)))],
  ['endswith/1', withOne((input, part) => textFrom(input).endsWith(textFrom(part)))],
  [
    'ltrimstr/1',
    withOne((input, part) =>
      textFrom(input).startsWith(textFrom(part)) ? textFrom(input).slice(textFrom(part).length) : input,
    ),
  ],
  ['contains/1', withOne(contains)],
  ['split/1', withOne((input, separator) => textFrom(input).split(textFrom(separator)))],
  ['join/1', withOne((input, separator) => itemsOf(input).map(joinable).join(textFrom(separator)))],
]);

function objectFrom(value: JsonValue): { readonly [field: string]: JsonValue | undefined } {
  if (!isJsonObject(value)) throw new QueryFault('an object is expected');
  return value;
}

function joinable(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : writeJson(value);
}

function lengthOf(value: JsonValue): number {
  if (value === null) return 0;
  if (typeof value === 'string') return Array.from(value).length;
  if (typeof value === 'number') return Math.abs(value);
  return itemsOf(value).length;
}

function sum(a: JsonValue, b: JsonValue): JsonValue {
  if (a === null) return b;
  if (typeof a === 'string') return a + textFrom(b);
  if (isList(a) && isList(b)) return [...a, ...b];
  return numberFrom(a) + numberFrom(b);
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function toNumber(value: JsonValue): JsonValue {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) throw new QueryFault('a number is expected');
  return number;
}

function contains(value: JsonValue, part: JsonValue): boolean {
  if (typeof value === 'string' && typeof part === 'string') return value.includes(part);
  if (isList(value) && isList(part)) return part.every((wanted) => value.some((item) => contains(item, wanted)));
  if (isJsonObject(value) && isJsonObject(part)) {
    return Object.entries(part).every(
      ([key, wanted]) => Object.hasOwn(value, key) && contains(value[key] ?? null, wanted ?? null),
    );
  }
  return orderOf(value, part) === 0;
}
