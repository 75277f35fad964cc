import type { ReleaseChange } from './compare-releases.ts';
import type { ReleaseNote } from './release-notes.ts';

/** Something that a release does otherwise than the one before it. */
export interface UpgradeDifference extends ReleaseChange {
  /** `Deployment shop/web`, `create pods shop/web by bob`. */
  readonly request: string;
  /** Where the object stands: `web.yaml:3`; absent for requests of a log. */
  readonly place?: string;
  /** The first release that does so. */
  readonly since: string;
  /** Upstream's word on it. */
  readonly note?: ReleaseNote;
}
