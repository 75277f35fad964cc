/** A message of several lines on one. */
export const oneLine = (message: string): string =>
  message
    .split(/\s*\n\s*/)
    .join(' ')
    .trim();
