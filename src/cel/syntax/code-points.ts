/** The characters of a text as CEL counts them: Unicode code points, not UTF-16 units. */
export const codePoints = (text: string): readonly string[] => Array.from(text);

/** Is every unit a character? Found at once where a text has one byte for each. */
export const isOfUnits = (text: string): boolean => !/[\ud800-\udfff]/.test(text);

export const codePointLength = (text: string): number => (isOfUnits(text) ? text.length : pointsWithin(text));

/** How many code points begin in the first `end` units. */
export const codePointsBefore = (text: string, end: number): number =>
  isOfUnits(text) ? end : pointsWithin(text, end);

function pointsWithin(text: string, end = text.length): number {
  let pairs = 0;
  for (let index = 0; index < end; index += 1) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) pairs += 1;
  }
  return end - pairs;
}

/** The offset in units of the code point with this index; the end of the text beyond the last one. */
export function unitOfCodePoint(text: string, number: number): number {
  if (number <= 0) return 0;
  if (isOfUnits(text)) return Math.min(number, text.length);
  let unit = 0;
  for (let points = 0; unit < text.length && points < number; points += 1) {
    unit += isHigh(text.charCodeAt(unit)) && isLow(text.charCodeAt(unit + 1)) ? 2 : 1;
  }
  return unit;
}

/** As codePointLength, but stops counting at `limit`. */
export const codePointsUpTo = (text: string, limit: number): number =>
  text.length > 2 * limit ? limit : Math.min(limit, codePointLength(text));

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
