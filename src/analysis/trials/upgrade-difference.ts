import type { ReleaseChange } from './compare-releases.ts';
import type { ReleaseNote } from './release-notes.ts';

/** A difference from the previous release. */
export interface UpgradeDifference extends ReleaseChange {
  /** `Deployment shop/web`, `create pods shop/web by bob`. */
  readonly request: string;
  /** `web.yaml:3`; absent for logged requests. */
  readonly place?: string;
  /** The first release with the difference. */
  readonly since: string;
  /** Upstream's release note. */
  readonly note?: ReleaseNote;
}
