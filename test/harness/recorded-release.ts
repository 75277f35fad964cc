import { loadRelease } from '../../src/api/release/load-release.ts';

/** The release of most recorded facts (kube-apiserver v1.36.2). */
export const recordedRelease = await loadRelease('1.36');
