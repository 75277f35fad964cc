import type { WorldUser } from '../world.ts';
import type { Problems } from './problems.ts';

/** What all parts of one scenario share while it is read. */
export interface Reading {
  readonly folder: string;
  readonly problems: Problems;
  /** Notes that the scenario depends on a file. */
  readonly uses: (file: string) => void;
  /** Tells what is to be known before the scenario is run. */
  readonly notes?: (text: string) => void;
  /** Undefined: scripts are loaded. Else it is told that the scenario needs one, which is not loaded. */
  readonly needsScript?: () => void;
  readonly users: ReadonlyMap<string, WorldUser>;
}
