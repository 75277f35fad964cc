import type { Draw } from '../harness/draw.ts';

/** The bytes in one or several chunks. */
export function inChunks(draw: Draw, bytes: Uint8Array): readonly Uint8Array[] {
  if (draw.chance(0.6) || bytes.length < 2) return [bytes];
  const cuts = Array.from({ length: 1 + draw.upTo(4) }, () => draw.upTo(bytes.length)).toSorted((a, b) => a - b);
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length));
}
