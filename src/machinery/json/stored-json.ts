import type { JsonValue } from './json.ts';
import { plainValue, readJson } from './json-reader.ts';
import { deepestNesting } from './json-walk.ts';

/**
 * What a text says that some API server wrote: as `plainValue` of `readJson`, at half the cost where no number, letter or depth in
 * it asks for care. undefined for no JSON.
 */
export function readStoredJson(text: string): JsonValue | undefined {
  if (needsCare(text)) {
    const reading = readJson(text);
    return reading.outcome === 'read' ? plainValue(reading.json.value) : undefined;
  }
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** A whole number that may be too large for a double, a negative zero, half a letter, or brackets enough to nest too deep. */
const needsCare = (text: string): boolean =>
  longNumber.test(text) ||
  (text.includes('-0') && negativeZero.test(text)) ||
  text.includes(String.raw`\ud`) ||
  text.includes(String.raw`\uD`) ||
  countOf('{', text) + countOf('[', text) > deepestNesting;

const longNumber = /\d{16}/;
const negativeZero = /[:[,\s]-0/;

function countOf(bracket: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) count += 1;
  return count;
}
