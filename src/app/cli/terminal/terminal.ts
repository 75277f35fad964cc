import { styleText } from 'node:util';
import { type Paint, plain } from '../../../explain/render/explain-page.ts';

/** How results may look on standard output. */
export interface Terminal {
  readonly paint: Paint;
  /** Columns; absent when nothing there wraps lines: a pipe, a file. */
  readonly width?: number;
}

/** What of a process says how its standard output looks. */
export interface Surroundings {
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Colour in a terminal, unless NO_COLOR has a value; FORCE_COLOR has the last word, with 0 or false for no. The width is
 * the terminal's; a pipe has none.
 */
export function terminalOf({ isTerminal, columns, environment }: Surroundings): Terminal {
  const paint = hasColour(isTerminal, environment) ? colours : plain;
  return isTerminal && columns !== undefined && columns > 0
    ? { paint, width: Math.max(columns, narrowest) }
    : { paint };
}

/** The terminal of this process. */
export const ownTerminal = (): Terminal =>
  terminalOf({ isTerminal: process.stdout.isTTY, columns: process.stdout.columns, environment: process.env });

const narrowest = 40;

function hasColour(isTerminal: boolean, { FORCE_COLOR, NO_COLOR, TERM }: Surroundings['environment']): boolean {
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && !NO_COLOR && TERM !== 'dumb';
}

const formats = {
  good: 'green',
  bad: 'red',
  warn: 'yellow',
  quiet: 'gray',
  strong: 'bold',
  dim: 'gray',
} as const;

const colours: Paint = (style, text) => styleText(formats[style], text, { validateStream: false });

const patience = 900;

/**
 * Waits for Ctrl-C (or SIGTERM), then closes. When that takes longer than 0.9 s and the delay it was asked for, or a
 * second Ctrl-C comes, the process ends with whatever is still open.
 */
export async function untilInterrupted(close: () => Promise<void>, delayMs = 0): Promise<void> {
  await interrupted();
  const leave = (): never => process.exit(0);
  process.once('SIGINT', leave);
  const late = setTimeout(leave, patience + delayMs);
  await close();
  clearTimeout(late);
  process.off('SIGINT', leave);
}

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  });

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
