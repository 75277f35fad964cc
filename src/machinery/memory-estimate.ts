import { countValues, isContainer } from './json/json-walk.ts';
import type { JsonValue } from './json/json.ts';

const shortText = 32 * 1024;

/** A long text is sampled: one part in eight. */
const shareOfText = 8;
const partBytes = 2 * 1024;

/** As a member of an object, measured. */
const bytesOfValue = 96;

/**
 * About how many bytes of memory a JSON or YAML text takes once parsed: its values, and the text, which its substrings
 * keep alive.
 */
export const estimateParsedBytes = (text: Uint8Array): number => 3 * text.length + valuesIn(text) * bytesOfValue;

/** About how many values a long text has; 0 for a short one. */
function valuesIn(text: Uint8Array): number {
  if (text.length < shortText) return 0;
  let [commas, lines] = [0, 0];
  for (let start = 0; start < text.length; start += shareOfText * partBytes) {
    const end = Math.min(start + partBytes, text.length);
    for (let at = start; at < end; at += 1) {
      if (text[at] === 0x2c) commas += 1;
      else if (text[at] === 0x0a) lines += 1;
    }
  }
  return shareOfText * Math.max(commas, lines);
}

/** About how many bytes of memory a value takes. Counts at most `maxValues` values and a fixed size for the rest. */
export function estimateMemoryBytes(value: JsonValue | undefined, maxValues = 4096): number {
  if (typeof value === 'string') return bytesOfText + value.length;
  if (!isContainer(value)) return bytesOfOthers;
  const { left, containers, texts, characters, others, names } = countValues(value, maxValues);
  const bytes = containers * bytesOfContainer + texts * bytesOfText + others * bytesOfOthers + names * bytesOfName;
  return bytes + characters + (left >= 0 ? 0 : bytesOfRest);
}

/** Assumed for what lies beyond `maxValues`. */
const bytesOfRest = 4 * 1024 * 1024;
const bytesOfContainer = 72;
const bytesOfText = 24;
const bytesOfOthers = 8;
const bytesOfName = 48;
