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
