import { countValues, isContainer } from './json/count-values.ts';
import type { JsonValue } from './json/json.ts';

/** About how many bytes of memory a value takes. Counts at most `mostValues` values and a fixed size for the rest. */
export function estimateMemoryBytes(value: JsonValue | undefined, mostValues = 4096): number {
  if (typeof value === 'string') return bytesOfText + value.length;
  if (!isContainer(value)) return bytesOfOthers;
  const { left, containers, texts, characters, others, names } = countValues(value, mostValues);
  const bytes = containers * bytesOfContainer + texts * bytesOfText + others * bytesOfOthers + names * bytesOfName;
  return bytes + characters + (left >= 0 ? 0 : bytesOfRest);
}

/** Assumed for what lies beyond `mostValues`. */
const bytesOfRest = 4 * 1024 * 1024;
const bytesOfContainer = 72;
const bytesOfText = 24;
const bytesOfOthers = 8;
const bytesOfName = 48;
