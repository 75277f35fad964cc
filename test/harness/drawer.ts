import type { Random } from '../../src/machinery/clock.ts';

/** Decisions drawn from a sequence of numbers. */
export interface Drawer {
  readonly one: <const T extends readonly [unknown, ...unknown[]]>(list: T) => T[number];
  readonly chance: (share: number) => boolean;
  /** A whole number from 0 to `most`. */
  readonly upTo: (most: number) => number;
}

export function drawer(random: Random): Drawer {
  const upTo = (most: number): number => Math.floor(random() * (most + 1));
  return {
    one: (list) => list[upTo(list.length - 1)] ?? list[0],
    chance: (share) => random() < share,
    upTo,
  };
}
