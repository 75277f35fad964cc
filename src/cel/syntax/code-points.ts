/** The characters of a text as CEL counts them: Unicode code points, not UTF-16 units. */
export const codePoints = (text: string): readonly string[] => Array.from(text);

/** How many code points a text has. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) length -= 1;
  }
  return length;
}

/** As codePointLength, but stops to count at `limit`. */
export function codePointsUpTo(text: string, limit: number): number {
  let count = 0;
  for (let index = 0; index < text.length && count < limit; index += 1) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) index += 1;
    count += 1;
  }
  return count;
}

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
