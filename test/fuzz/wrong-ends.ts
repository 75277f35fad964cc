import type { Draw } from '../harness/draw.ts';

const characters = 'aA0.:-/@,;=\'"\\()[]{}<>|*+?%_~ \t\nü';
const ends = ['', '', '', '!', '\n', '(', ' ', '.', "']", ')', '>', ']', '\u0001'] as const;

/**
 * A few repeated characters and a wrong end, in the syntax of a sample: a regular expression that tries
 * each start, or each division of a text, needs minutes for it.
 */
export function withWrongEnd(draw: Draw, sample: string): string {
  const cut = draw.one(bordersOf(sample));
  const from = draw.one([sample.slice(0, cut), sample, characters]) || characters;
  const first = draw.upTo(from.length - 1);
  const part = from.slice(first, first + 1 + draw.one([0, 0, 0, draw.upTo(3), draw.upTo(from.length)]));
  // Thirty are enough for an expression that is exponential.
  const length = draw.one([30, 30, 5_000, 50_000, 100_000]);
  const many = part.repeat(Math.ceil(length / part.length)) + draw.one(ends);
  return draw.one([
    many,
    sample.slice(0, cut) + many,
    many + sample.slice(cut),
    sample.slice(0, cut) + many + sample.slice(cut),
  ]);
}

/** Where a word or another character begins. */
const bordersOf = (sample: string): readonly [number, ...number[]] => [
  0,
  ...[...sample.matchAll(/\b|[^\w]/g)].map(({ index }) => index),
];
