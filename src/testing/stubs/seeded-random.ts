import type { NewUid, Random } from '../../machinery/clock.ts';

/** mulberry32: numbers from 0 (inclusive) to 1 (exclusive). */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Seeded by name: independent of other draws. */
export const seededRandomFor = (name: string): Random => createSeededRandom(hashText(name));

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

const pairs = Array.from({ length: 256 }, (_none, byte) => byte.toString(16).padStart(2, '0'));

/** Four digits. A table, since a world draws fifty UUIDs at start. */
const fourDigits = (bits: number): string => `${pairs[bits >>> 8]}${pairs[bits & 0xff]}`;

/** Version 4. */
export function createSeededUids(random: Random): NewUid {
  const word = (): string => {
    const bits = Math.floor(random() * 2 ** 32);
    return `${fourDigits(bits >>> 16)}${fourDigits(bits & 0xffff)}`;
  };
  return () => {
    const digits = word() + word() + word() + word();
    const variant = '89ab'.charAt(Number.parseInt(digits.charAt(16), 16) & 3);
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      variant + digits.slice(17, 20),
      digits.slice(20),
    ].join('-');
  };
}

export function shuffle(items: readonly string[], random: () => number): readonly string[] {
  const remaining = [...items];
  return items.map(() => remaining.splice(Math.floor(random() * remaining.length), 1)[0] ?? '');
}
