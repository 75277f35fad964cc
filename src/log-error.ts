/** A line in the log of a server: standard error. */
export const logError = (line: string): void => {
  process.stderr.write(`${line}\n`);
};
