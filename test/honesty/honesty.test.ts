import { expect, test } from 'vitest';
import { findFalseStatements } from './check-explanations.ts';
import { runGeneratedChain } from './generated-chain.ts';
import { lies } from './lies.ts';

/** Chains that reveal each of the lies. */
const [first, chains] = [60, 20];

const explored = await Promise.all(Array.from({ length: chains }, (_, at) => runGeneratedChain(1, first + at)));

test(`nothing is said of ${chains} random chains that is not so`, () => {
  expect(explored.flatMap(({ chain, played }) => findFalseStatements(chain, played))).toEqual([]);
});

test.each(Object.keys(lies))('it is found when %s', (lie) => {
  expect(explored.flatMap(({ chain, played }) => findFalseStatements(chain, played, lies[lie]))).not.toEqual([]);
});
