import type { Random } from '../../src/machinery/clock.ts';

/** Random choices. */
export interface RandomChoices {
  readonly pick: <const T extends readonly [unknown, ...unknown[]]>(list: T) => T[number];
  readonly chance: (share: number) => boolean;
  /** An integer from 0 to `max`. */
  readonly upTo: (max: number) => number;
}

export function createRandomChoices(random: Random): RandomChoices {
  const upTo = (max: number): number => Math.floor(random() * (max + 1));
  return {
    pick: (list) => list[upTo(list.length - 1)] ?? list[0],
    chance: (share) => random() < share,
    upTo,
  };
}
