/** Several complaints as Go's aggregate prints them: `[a, b]`; a single one stands alone. */
export const listText = (texts: readonly string[]): string =>
  texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
