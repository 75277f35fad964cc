import type { Drawer } from '../harness/drawer.ts';

const characters = 'aA0.:-/@,;=\'"\\()[]{}<>|*+?%_~ \t\nü';
const ends = ['', '', '', '!', '\n', '(', ' ', '.', "']", ')', '>', ']', '\u0001'] as const;

/**
 * One character or a few of them many times and a wrong end, in the syntax of a sample: what a regular expression that tries
 * each start, or each way to divide a text, needs minutes for.
 */
export function withWrongEnd(draw: Drawer, sample: string): string {
  const from = draw.chance(0.7) && sample !== '' ? sample : characters;
  const first = draw.upTo(from.length - 1);
  const part = from.slice(first, first + 1 + (draw.chance(0.4) ? draw.upTo(3) : 0));
  const cut = draw.upTo(sample.length);
  const start = draw.chance(0.5) ? sample.slice(0, cut) : '';
  // Thirty are enough for an expression that is exponential.
  const length = draw.one([30, 5_000, 50_000, 100_000]);
  const rest = draw.chance(0.4) ? sample.slice(cut) : '';
  const end = draw.one(ends) + rest;
  return `${start}${part.repeat(Math.ceil(length / part.length))}${end}`;
}
