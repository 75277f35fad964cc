import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { type Chain, drawChain } from './chain.ts';
import { play, type Played } from './play.ts';

/** Chain number `turn` of a seed, and the real results of its requests. */
export interface Explored {
  readonly number: number;
  readonly chain: Chain;
  readonly played: readonly Played[];
}

/** The distance between seeds, which may be small numbers. */
const perSeed = 1_000_003;

export async function playChain(seed: number, number: number): Promise<Explored> {
  const chain = drawChain(createSeededRandom(seed * perSeed + number));
  return { number, chain, played: await play(chain) };
}
