import type { RandomChoices } from '../harness/random-choices.ts';

const characters = 'aA0.:-/@,;=\'"\\()[]{}<>|*+?%_~ \t\nü';
const ends = ['', '', '', '!', '\n', '(', ' ', '.', "']", ')', '>', ']', '\u0001'] as const;

/**
 * A few repeated characters and a wrong end, in the syntax of a sample: a regular expression that tries
 * each start, or each division of a text, needs minutes for it.
 */
export function repeatWithWrongEnd(random: RandomChoices, sample: string): string {
  const cut = random.pick(bordersOf(sample));
  const from = random.pick([sample.slice(0, cut), sample, characters]) || characters;
  const first = random.upTo(from.length - 1);
  const part = from.slice(first, first + 1 + random.pick([0, 0, 0, random.upTo(3), random.upTo(from.length)]));
  // Thirty are enough for an expression that is exponential.
  const length = random.pick([30, 30, 5_000, 50_000, 100_000]);
  const many = part.repeat(Math.ceil(length / part.length)) + random.pick(ends);
  return random.pick([
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
