import { deepestNesting } from './json-walk.ts';

/** Ours: four times as many as the largest CustomResourceDefinitions have. Each value delays other requests. */
export const maxBodyValues = 100_000;

export const tooManyValuesText = `kadmit takes at most ${maxBodyValues} values in a body`;

/** Does a UTF-8 text that looks like JSON contain more values than a body may have? Counts without parsing. */
export const hasTooManyValues = (text: Uint8Array): boolean =>
  text.length > maxBodyValues && isJson(text) && countValues(text) > maxBodyValues;

const byte = {
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

function isJson(body: Uint8Array): boolean {
  const first = body.find((char) => char > 0x20);
  return first === byte.openObject || first === byte.openList;
}

/**
 * About how many values a JSON text has. Stops above the limit, and at nesting that the reader refuses. The count of a
 * text that is not JSON is meaningless.
 */
function countValues(body: Uint8Array): number {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < body.length && values <= maxBodyValues && depth <= deepestNesting; at += 1) {
    const char = body[at];
    if (char === byte.quote) at = endOfString(body, at);
    else if (char === byte.comma) values += 1;
    else if (char === byte.openList || char === byte.openObject) {
      values += 1;
      depth += 1;
    } else if (char === byte.closeList || char === byte.closeObject) depth -= 1;
  }
  return values;
}

/** Most texts have no escapes. */
function endOfString(body: Uint8Array, start: number): number {
  const quote = body.indexOf(byte.quote, start + 1);
  if (quote >= 0 && body[quote - 1] !== byte.backslash) return quote;
  for (let at = start + 1; at < body.length; at += 1) {
    const char = body[at];
    if (char === byte.quote) return at;
    if (char === byte.backslash) at += 1;
  }
  return body.length;
}
