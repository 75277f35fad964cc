import type { RandomChoices } from '../harness/random-choices.ts';

/** The bytes in one or several chunks. */
export function splitBytes(random: RandomChoices, bytes: Uint8Array): readonly Uint8Array[] {
  if (random.chance(0.6) || bytes.length < 2) return [bytes];
  const cuts = Array.from({ length: 1 + random.upTo(4) }, () => random.upTo(bytes.length)).toSorted((a, b) => a - b);
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length));
}
