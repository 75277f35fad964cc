import { styleText } from 'node:util';
import { type Paint, plain } from '../../../explain/render/explain-page.ts';

/** The format of standard output. */
export interface Terminal {
  readonly paint: Paint;
  /** Columns; Infinity for a pipe or file: lines are not wrapped. */
  readonly width: number;
}

export interface TerminalEnvironment {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Colours in a terminal unless NO_COLOR is set; FORCE_COLOR takes precedence, with 0 or false for none. */
export function terminalOf({ isTerminal, columns, environment }: TerminalEnvironment): Terminal {
  const paint = hasColour(isTerminal, environment) ? colours : plain;
  const width = isTerminal && columns !== undefined && columns > 0 ? Math.max(columns, minWidth) : Infinity;
  return { paint, width };
}

export const ownTerminal = (): Terminal =>
  terminalOf({ isTerminal: process.stdout.isTTY, columns: process.stdout.columns, environment: process.env });

const minWidth = 40;

function hasColour(isTerminal: boolean, { FORCE_COLOR, NO_COLOR, TERM }: TerminalEnvironment['environment']): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}

const ansiFormats = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  quiet: 'gray',
  strong: 'bold',
  dim: 'gray',
} as const;

const colours: Paint = (style, text) => styleText(ansiFormats[style], text, { validateStream: false });

const closeTimeoutMs = 900;

/** Waits for Ctrl-C or SIGTERM, then closes. A second Ctrl-C, or 0.9 s after `delayMs`, ends the process at once. */
export async function untilInterrupted(close: () => Promise<void>, delayMs = 0): Promise<void> {
  await whenInterrupted();
  const leave = (): never => process.exit(0);
  process.once('SIGINT', leave);
  const late = setTimeout(leave, closeTimeoutMs + delayMs);
  await close();
  clearTimeout(late);
  process.off('SIGINT', leave);
}

const whenInterrupted = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });

/** A line of progress at the bottom of a terminal. */
export interface LiveLine {
  readonly show: (text: string) => void;
  /** Removes the line, to print something else. */
  readonly clear: () => void;
}

const escape = String.fromCharCode(27);

/** Prints nothing unless the stream is a terminal. */
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

/** Prints the text when the work takes more than a second. */
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
