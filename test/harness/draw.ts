import type { Random } from '../../src/machinery/clock.ts';

/** Random choices. */
export interface Draw {
  readonly one: <const T extends readonly [unknown, ...unknown[]]>(list: T) => T[number];
  readonly chance: (share: number) => boolean;
  /** An integer from 0 to `max`. */
  readonly upTo: (max: number) => number;
}

export function createDraw(random: Random): Draw {
  const upTo = (max: number): number => Math.floor(random() * (max + 1));
  return {
    one: (list) => list[upTo(list.length - 1)] ?? list[0],
    chance: (share) => random() < share,
    upTo,
  };
}
