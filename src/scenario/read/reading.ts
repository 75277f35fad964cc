import type { ReviewFunction } from '../../faults/webhook-spec.ts';
import type { WorldUser } from '../world.ts';
import type { Problems } from './problems.ts';

export type ScriptLoading =
  | { readonly outcome: 'loaded'; readonly run: ReviewFunction; readonly files?: readonly string[] }
  | { readonly outcome: 'failed'; readonly error: string };

/** Loads the function that a JavaScript or TypeScript file exports. */
export type LoadScript = (file: string) => Promise<ScriptLoading>;

/** What all parts of one scenario share while it is read. */
export interface Reading {
  readonly folder: string;
  readonly problems: Problems;
  /** Notes that the scenario depends on a file. */
  readonly uses: (file: string) => void;
  readonly loadScript: LoadScript;
  readonly users: ReadonlyMap<string, WorldUser>;
}
