import { createRelease } from './create-release.ts';
import { v136 } from './v1-36.ts';

/** The default release. */
export const currentRelease = createRelease(v136);
