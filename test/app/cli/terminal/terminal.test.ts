import { expect, test } from 'vitest';
import { type TerminalEnvironment, terminalOf } from '../../../../src/app/cli/terminal/terminal.ts';

const tty: TerminalEnvironment = { isTerminal: true, columns: 100, environment: {} };
const pipe: TerminalEnvironment = { isTerminal: false, columns: undefined, environment: {} };

// Source: https://no-color.org, https://force-color.org; Node's own reading of FORCE_COLOR.
test.each<readonly [fact: string, surroundings: TerminalEnvironment, coloured: boolean, width: number]>([
  ['a terminal has colour and a width', tty, true, 100],
  ['a pipe has neither', pipe, false, Infinity],
  ['NO_COLOR takes the colour', { ...tty, environment: { NO_COLOR: '1' } }, false, 100],
  ['an empty NO_COLOR says nothing', { ...tty, environment: { NO_COLOR: '' } }, true, 100],
  ['a dumb terminal has none', { ...tty, environment: { TERM: 'dumb' } }, false, 100],
  ['FORCE_COLOR gives a pipe colour', { ...pipe, environment: { FORCE_COLOR: '1' } }, true, Infinity],
  ['FORCE_COLOR has the last word', { ...tty, environment: { FORCE_COLOR: '1', NO_COLOR: '1' } }, true, 100],
  ['FORCE_COLOR=0 takes the colour', { ...tty, environment: { FORCE_COLOR: '0' } }, false, 100],
  ['a terminal that does not know its width has none', { ...tty, columns: 0 }, true, Infinity],
  ['a very narrow one is taken for a little wider', { ...tty, columns: 10 }, true, 40],
])('%s', (_fact, surroundings, coloured, width) => {
  const terminal = terminalOf(surroundings);
  expect(terminal.paint('bad', 'x')).toBe(coloured ? '\u001b[31mx\u001b[39m' : 'x');
  expect(terminal.width).toBe(width);
});
