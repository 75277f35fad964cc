import { createRelease } from './create-release.ts';
import { v136 } from './v1-36.ts';

/** The release that is followed unless another one is asked for. */
export const currentRelease = createRelease(v136);
