import { loadRelease } from '../../src/api/release/load-release.ts';

/** The release from whose kube-apiserver (v1.36.2) most facts in the tests are recorded. */
export const recordedRelease = await loadRelease('1.36');
