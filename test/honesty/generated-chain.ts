import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import { type Chain, generateChain } from './chain.ts';
import { runChain, type RequestResult } from './run-chain.ts';

/** Chain number `turn` of a seed, and the real results of its requests. */
export interface ChainResult {
  readonly number: number;
  readonly chain: Chain;
  readonly played: readonly RequestResult[];
}

/** The distance between seeds, which may be small numbers. */
const perSeed = 1_000_003;

export async function runGeneratedChain(seed: number, number: number): Promise<ChainResult> {
  const chain = generateChain(createSeededRandom(seed * perSeed + number));
  return { number, chain, played: await runChain(chain) };
}
