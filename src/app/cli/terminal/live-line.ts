/** One line of progress at the bottom of a terminal. */
export interface LiveLine {
  readonly show: (text: string) => void;
  /** Takes the line away, to print something else. */
  readonly clear: () => void;
}

const escape = String.fromCharCode(27);

/** Shows nothing when the stream is not a terminal. */
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

const delayMs = 1000;

/** Shows the text when the work takes more than a second. */
export async function showWhile<Value>(text: string, work: Promise<Value>): Promise<Value> {
  const line = createLiveLine(process.stderr);
  const timer = setTimeout(() => line.show(text), delayMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    line.clear();
  }
}
