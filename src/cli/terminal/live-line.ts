/** One line at the bottom of a terminal that says what is going on. */
export interface LiveLine {
  readonly show: (text: string) => void;
  /** Takes the line away, to print something else. */
  readonly clear: () => void;
}

const escape = String.fromCharCode(27);

/** On standard error; nothing when that is no terminal. */
export function createLiveLine(stream: NodeJS.WriteStream): LiveLine {
  if (!stream.isTTY) return { show: () => {}, clear: () => {} };
  let shown = false;
  const clear = (): void => {
    if (shown) stream.write(`\r${escape}[2K`);
    shown = false;
  };
  return {
    show: (text) => {
      clear();
      stream.write(text.slice(0, Math.max((stream.columns ?? 80) - 1, 20)));
      shown = true;
    },
    clear,
  };
}
