import type { WorldUser } from '../world.ts';
import type { Problems } from './problems.ts';

/** What all parts of one scenario share while it is read. */
export interface Reading {
  readonly folder: string;
  readonly problems: Problems;
  /** Notes that the scenario depends on a file. */
  readonly uses: (file: string) => void;
  readonly users: ReadonlyMap<string, WorldUser>;
}
