import { toText } from './convert.ts';
import { mapEntries } from './map-key.ts';
import { runtimeTypeName } from './runtime-type.ts';
import { type AnyBox, Box, type Value, isBox, isCelList, isMap } from './value.ts';

const maxLength = 200;

/** A value for people to read: JSON where it is JSON, at most 200 characters. */
export function valueText(value: Value): string {
  let text = '';
  for (const part of partsOf(value)) {
    text += part;
    if (text.length > maxLength) return `${text.slice(0, maxLength)}…`;
  }
  return text;
}

/** Bounds the text of a list that contains one list many times. */
function* partsOf(value: Value): Generator<string, void> {
  if (typeof value === 'string') return yield JSON.stringify(value.slice(0, maxLength + 1));
  if (isCelList(value)) return yield* inBrackets('[]', value, partsOf);
  if (isMap(value)) return yield* inBrackets('{}', mapEntries(value), entryParts);
  if (isBox(value, 'optional')) {
    if (value.value === undefined) return yield 'optional.none()';
    yield 'optional.of(';
    yield* partsOf(value.value);
    return yield ')';
  }
  if (value instanceof Box || value instanceof Uint8Array) return yield plainText(value);
  yield String(value);
}

function* inBrackets<T>(
  brackets: string,
  items: readonly T[],
  parts: (item: T) => Iterable<string>,
): Generator<string, void> {
  yield brackets.charAt(0);
  for (const [at, item] of items.entries()) {
    if (at > 0) yield ', ';
    yield* parts(item);
  }
  yield brackets.charAt(1);
}

function* entryParts([key, inner]: readonly [Value, Value]): Generator<string, void> {
  yield* partsOf(key);
  yield ': ';
  yield* partsOf(inner);
}

function plainText(value: AnyBox | Uint8Array): string {
  const text = toText(value);
  return typeof text === 'string' ? text : runtimeTypeName(value);
}
