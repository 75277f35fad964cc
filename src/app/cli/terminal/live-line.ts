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

const patienceMs = 1000;

/** Says what is going on when it takes more than a second. */
export async function tellingWhile<Value>(text: string, work: Promise<Value>): Promise<Value> {
  const line = createLiveLine(process.stderr);
  const timer = setTimeout(() => line.show(text), patienceMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    line.clear();
  }
}
