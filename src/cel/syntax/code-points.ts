import { stretchesInTurns } from '../../apimachinery/stretches-in-turns.ts';

/** The characters of a text as CEL counts them: Unicode code points, not UTF-16 units. */
export const codePoints = (text: string): readonly string[] => Array.from(text);

/** Is every unit a character? Found at once where a text has one byte for each. */
export const isOfUnits = (text: string): boolean => !/[\ud800-\udfff]/.test(text);

/** Counting is done so many units at a time. */
const counted = 256 * 1024;

/** How many code points a text has. */
export const codePointLength = (text: string): number => (isOfUnits(text) ? text.length : pointsWithin(text));

/** How many code points begin in the first `end` units. */
export const codePointsBefore = (text: string, end: number): number =>
  isOfUnits(text) ? end : pointsWithin(text, end);

function pointsWithin(text: string, end = text.length): number {
  const start = (): { pairs: number } => ({ pairs: 0 });
  const count = (state: { pairs: number }, from: number, to: number): void => {
    let { pairs } = state;
    for (let index = from; index < to; index += 1) {
      if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) pairs += 1;
    }
    state.pairs = pairs;
  };
  return end - stretchesInTurns(end, start, count, counted).pairs;
}

/** The unit at which the code point of this number begins; the end of the text where there is none. */
export function unitOfCodePoint(text: string, number: number): number {
  if (number <= 0) return 0;
  if (isOfUnits(text)) return Math.min(number, text.length);
  const start = (): Walk => ({ unit: 0, points: 0 });
  const walk = (state: Walk, _from: number, to: number): boolean => {
    let { unit, points } = state;
    while (unit < to && points < number) {
      unit += isHigh(text.charCodeAt(unit)) && isLow(text.charCodeAt(unit + 1)) ? 2 : 1;
      points += 1;
    }
    state.unit = unit;
    state.points = points;
    return points < number;
  };
  return stretchesInTurns(text.length, start, walk, counted).unit;
}

interface Walk {
  unit: number;
  points: number;
}

/** As codePointLength, but stops to count at `limit`. */
export const codePointsUpTo = (text: string, limit: number): number =>
  text.length > 2 * limit ? limit : Math.min(limit, codePointLength(text));

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800;
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00;
