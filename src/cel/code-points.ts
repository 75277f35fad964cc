/** The characters of a text as CEL counts them: Unicode code points, not UTF-16 units. */
export const codePoints = (text: string): readonly string[] => Array.from(text);

/** How many code points a text has. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isHigh(text.charCodeAt(index)) && isLow(text.charCodeAt(index + 1))) length -= 1;
  }
  return length;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
