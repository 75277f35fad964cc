import type { WorldUser } from '../world.ts';
import type { Problems } from './problems.ts';

/** Shared by all readers of one scenario. */
export interface ScenarioReader {
  readonly folder: string;
  readonly problems: Problems;
  /** The scenario depends on this file. */
  readonly uses: (file: string) => void;
  /** A note for the user, before the run. */
  readonly notes?: (text: string) => void;
  /** If set, scripts are not loaded, and this is called for each. */
  readonly needsScript?: () => void;
  readonly users: ReadonlyMap<string, WorldUser>;
}
