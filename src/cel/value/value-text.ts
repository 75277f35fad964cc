import { toText } from './convert.ts';
import { mapEntries } from './map-key.ts';
import { runtimeTypeName } from './runtime-type.ts';
import { Box, isBox, isList, isMap } from './value.ts';
import type { Value } from './value.ts';

const longest = 200;

/** A value for people to read: JSON where it is JSON, at most 200 characters. */
export function valueText(value: Value): string {
  const text = fullText(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function fullText(value: Value): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(fullText).join(', ')}]`;
  if (isMap(value)) {
    return `{${mapEntries(value)
      .map(([key, inner]) => `${fullText(key)}: ${fullText(inner)}`)
      .join(', ')}}`;
  }
  if (isBox(value, 'optional')) {
    return value.value === undefined ? 'optional.none()' : `optional.of(${fullText(value.value)})`;
  }
  if (value instanceof Box || value instanceof Uint8Array) {
    const text = toText(value);
    return typeof text === 'string' ? text : runtimeTypeName(value);
  }
  return String(value);
}
