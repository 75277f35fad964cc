/** A message of several lines on one. */
export const oneLine = (message: string): string =>
  message.replaceAll(/\s+/g, (blanks) => (blanks.includes('\n') ? ' ' : blanks)).trim();
