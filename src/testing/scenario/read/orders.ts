import { createSeededRandom } from '../../stubs/seeded-chance.ts';

/** The orders of some names that are tried, and of how many they are. */
export interface Orders {
  readonly tried: readonly (readonly string[])[];
  readonly possible: bigint;
}

/** As many orders as five names have. */
const mostTried = 120;

/** Always the same ones are drawn. */
const seed = 1;

/**
 * Every order of these names, or 120 of them when there are more: as they are, backwards, each name first and each last,
 * so that every two come in both orders, and others by chance.
 */
export function ordersOf(names: readonly string[]): Orders {
  const possible = names.reduce((product, _name, index) => product * BigInt(index + 1), 1n);
  return { possible, tried: possible <= mostTried ? permutations(names) : sample(names) };
}

const permutations = (names: readonly string[]): readonly (readonly string[])[] =>
  names.length <= 1
    ? [names]
    : names.flatMap((first) => permutations(names.filter((name) => name !== first)).map((rest) => [first, ...rest]));

function sample(names: readonly string[]): Orders['tried'] {
  const without = (name: string): readonly string[] => names.filter((other) => other !== name);
  const chosen = [names, names.toReversed(), ...names.map((name) => [name, ...without(name)])];
  const drawn = new Map([...chosen, ...names.map((name) => [...without(name), name])].map(entryOf));
  const random = createSeededRandom(seed);
  while (drawn.size < mostTried) drawn.set(...entryOf(shuffled(names, random)));
  return [...drawn.values()].slice(0, mostTried);
}

const entryOf = (order: readonly string[]): [string, readonly string[]] => [order.join('\n'), order];

function shuffled(names: readonly string[], random: () => number): readonly string[] {
  const left = [...names];
  return names.map(() => left.splice(Math.floor(random() * left.length), 1)[0] ?? '');
}
