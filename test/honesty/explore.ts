import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { type Chain, drawChain } from './chain.ts';
import { play, type Played } from './play.ts';

/** A chain of a seed, by its number, and what happened to its requests. */
export interface Explored {
  readonly number: number;
  readonly chain: Chain;
  readonly played: readonly Played[];
}

/** Far enough from one seed to the next: seeds may be small. */
const perSeed = 1_000_003;

export async function playChain(seed: number, number: number): Promise<Explored> {
  const chain = drawChain(createSeededRandom(seed * perSeed + number));
  return { number, chain, played: await play(chain) };
}
