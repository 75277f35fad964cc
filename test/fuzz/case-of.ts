import { createDraw } from '../harness/draw.ts';
import { createSeededRandom } from '../../src/testing/stubs/seeded-random.ts';
import type { Case, Ground, Target } from './case.ts';

/** Case number `turn`: the same for the same seed, independent of earlier cases. */
export const caseOf = (target: Target, seed: number, number: number, ground: Ground): Case =>
  target.draw(
    createDraw(createSeededRandom(mixed(seed, target.name, number))),
    ground,
    mixed(seed, target.name, -1) + number,
  );

/** FNV-1a over the identity of a case. */
function mixed(seed: number, name: string, number: number): number {
  let hash = 0x811c9dc5;
  for (const character of `${seed}/${name}/${number}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return hash;
}
