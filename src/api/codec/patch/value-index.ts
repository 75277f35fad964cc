import { goTypeOf } from '../../../machinery/go/go-print.ts';
import { isList, JsonNumber, type JsonDocument } from '../../../machinery/json/json.ts';
import { goNumber } from '../../../machinery/json/json-reader.ts';
import { isObject, uncomparable, type Merging } from './strategic-merge-fault.ts';

/** Avoids searching long lists for each value. */
export interface ValueIndex {
  readonly add: (value: JsonDocument, at: number) => void;
  readonly remove: (value: JsonDocument) => void;
  /** -1 when absent. */
  readonly find: (value: JsonDocument) => number;
}

/** Go's `==`: 80 is not "80", and comparing maps or lists panics. */
export function createValueIndex(merging: Merging, values: readonly JsonDocument[] = []): ValueIndex {
  const places: Places = new Map();
  for (const [at, value] of values.entries()) addTo(places, value, at);
  return {
    add: (value, at) => addTo(places, value, at),
    remove: (value) => places.delete(keyOf(value)),
    find: (value) => {
      const at = places.get(keyOf(value)) ?? -1;
      if (at >= 0 && isUncomparable(value)) merging.fault ??= uncomparable(value);
      return at;
    },
  };
}

type Places = Map<string, number>;

function addTo(places: Places, value: JsonDocument, at: number): void {
  const key = keyOf(value);
  if (!places.has(key)) places.set(key, at);
}

const isUncomparable = (value: JsonDocument): boolean => isObject(value) || isList(value);

/** Type and text; the type alone for uncomparable values. */
function keyOf(value: JsonDocument): string {
  // Fast path: most values are strings.
  if (typeof value === 'string') return `string:${value}`;
  const type = goTypeOf(value) ?? '';
  if (isUncomparable(value)) return type;
  return `${type}:${value instanceof JsonNumber ? goNumber(value.text).toString() : JSON.stringify(value)}`;
}
