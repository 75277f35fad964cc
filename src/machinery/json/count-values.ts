import { type JsonDocument, JsonNumber, type JsonValue } from './json.ts';

/** What there is in a list or an object, at any depth, as far as it was counted. */
export interface ValueCounter {
  /** How many values might still have been counted; less than none: there are more, and the other numbers are too small. */
  left: number;
  /** Lists and objects, the outermost one included. */
  containers: number;
  texts: number;
  characters: number;
  /** Numbers, booleans, null. */
  others: number;
  /** Fields of objects. */
  names: number;
  nameCharacters: number;
}

export type Container = Exclude<Extract<JsonDocument | JsonValue, object>, JsonNumber>;

/** Is it one that has values inside? */
export const isContainer = (value: JsonDocument | JsonValue | undefined): value is Container =>
  typeof value === 'object' && value !== null && !(value instanceof JsonNumber);

/**
 * Counts up to `most` values inside of a container. All who ask how large an object is ask here: every write asks several times,
 * and so it is one function that V8 knows soon.
 */
export function countValues(container: Container, most: number): ValueCounter {
  const counted = { left: most, containers: 0, texts: 0, characters: 0, others: 0, names: 0, nameCharacters: 0 };
  count(counted, container);
  return counted;
}

const noNames: readonly string[] = [];

/** What has no values inside is counted where it stands: calls are what it costs. */
function count(counted: ValueCounter, container: Container): void {
  const isItems = isList(container);
  // A loop over a wide object itself would list its fields each time.
  const names = isItems ? noNames : Object.keys(container);
  const length = isItems ? container.length : names.length;
  counted.containers += 1;
  counted.names += names.length;
  counted.left -= length;
  for (let at = 0; at < length && counted.left >= 0; at += 1) {
    const name = names[at] ?? '';
    const value = isItems ? container[at] : container[name];
    counted.nameCharacters += name.length;
    if (typeof value === 'string') {
      counted.texts += 1;
      counted.characters += value.length;
    } else if (typeof value === 'object' && value !== null && !(value instanceof JsonNumber)) {
      count(counted, value);
    } else counted.others += 1;
  }
}

const isList = (value: Container): value is readonly (JsonDocument | JsonValue)[] => Array.isArray(value);
