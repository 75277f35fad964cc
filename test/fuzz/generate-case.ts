import { createRandomChoices } from '../harness/random-choices.ts';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import type { Case, TargetEnvironment, Target } from './case.ts';

/** Case number `turn`: the same for the same seed, independent of earlier cases. */
export const generateCase = (target: Target, seed: number, number: number, ground: TargetEnvironment): Case =>
  target.generate(
    createRandomChoices(createSeededRandom(hashIdentity(seed, target.name, number))),
    ground,
    hashIdentity(seed, target.name, -1) + number,
  );

/** FNV-1a over the identity of a case. */
function hashIdentity(seed: number, name: string, number: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${name}/${number}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
