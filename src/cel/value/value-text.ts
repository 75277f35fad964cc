import { toText } from './convert.ts';
import { mapEntries } from './map-key.ts';
import { runtimeTypeName } from './runtime-type.ts';
import { type AnyBox, Box, type Value, isBox, isCelList, isMap } from './value.ts';

const maxLength = 200;

/** A value for people to read: JSON where it is JSON, at most 200 characters. */
export function renderValue(value: Value): string {
  let text = '';
  for (const part of renderParts(value)) {
    text += part;
    if (text.length > maxLength) return `${text.slice(0, maxLength)}…`;
  }
  return text;
}

/** Bounds the text of a list that contains one list many times. */
function* renderParts(value: Value): Generator<string, void> {
  if (typeof value === 'string') return yield JSON.stringify(value.slice(0, maxLength + 1));
  if (isCelList(value)) return yield* renderInBrackets('[]', value, renderParts);
  if (isMap(value)) return yield* renderInBrackets('{}', mapEntries(value), renderEntry);
  if (isBox(value, 'optional')) {
    if (value.value === undefined) return yield 'optional.none()';
    yield 'optional.of(';
    yield* renderParts(value.value);
    return yield ')';
  }
  if (value instanceof Box || value instanceof Uint8Array) return yield renderPlain(value);
  yield String(value);
}

function* renderInBrackets<T>(
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

function* renderEntry([key, inner]: readonly [Value, Value]): Generator<string, void> {
  yield* renderParts(key);
  yield ': ';
  yield* renderParts(inner);
}

function renderPlain(value: AnyBox | Uint8Array): string {
  const text = toText(value);
  return typeof text === 'string' ? text : runtimeTypeName(value);
}
