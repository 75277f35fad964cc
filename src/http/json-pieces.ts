import { isJsonObject } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';
import { writeJson } from '../apimachinery/json-writer.ts';
import type { Steps } from '../apimachinery/pause.ts';

/** An object as JSON in UTF-8, in pieces: megabytes at once would keep others waiting for a tenth of a second. */
export function* jsonPieces(object: JsonObject): Steps<readonly Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  let before = '{';
  for (const [field, value = null] of Object.entries(object)) {
    const start = `${before}${JSON.stringify(field)}:`;
    before = ',';
    if (isJsonObject(value)) yield* putEntries(pieces, start, value);
    else pieces.push(Buffer.from(start + writeJson(value)));
  }
  pieces.push(Buffer.from(before === '{' ? '{}' : '}'));
  return pieces;
}

function* putEntries(pieces: Uint8Array[], start: string, object: JsonObject): Steps<void> {
  let before = `${start}{`;
  for (const [name, value = null] of Object.entries(object)) {
    pieces.push(Buffer.from(`${before}${JSON.stringify(name)}:${writeJson(value)}`));
    before = ',';
    yield;
  }
  pieces.push(Buffer.from(before === ',' ? '}' : `${before}}`));
}
