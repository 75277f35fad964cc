/** The minor version of the default release, whose tables are the base of the others. */
export const currentMinor = 36;
export const oldestMinor = 32;

/** The version of kube-apiserver whose behaviour is the default. */
export const followedVersion = `v1.${currentMinor}.2`;

/** The releases that can be served, `1.32` to the default one. */
export const releaseNames: readonly string[] = Array.from(
  { length: currentMinor - oldestMinor + 1 },
  (_none, index) => `1.${oldestMinor + index}`,
);
