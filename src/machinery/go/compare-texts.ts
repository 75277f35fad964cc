/** Which of two texts comes first: by the UTF-16 units of their characters, as `sort` orders texts. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Entries of an object or a map in the order of their keys. */
export const byKey = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]): number =>
  compareTexts(a, b);
