/** As Go's aggregate prints errors: `[a, b]`; a single one bare. */
export const listText = (texts: readonly string[]): string =>
  texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
