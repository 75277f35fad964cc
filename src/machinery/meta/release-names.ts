/** The newest minor version: its tables are the base of the others. */
export const newestMinor = 37;
/** The minor version of the default release. */
export const defaultMinor = 37;
export const oldestMinor = 33;

/** The version of kube-apiserver whose behaviour is the default. */
export const followedVersion = `v1.${defaultMinor}.2`;

/** The releases that can be served, from the oldest on. */
export const releaseNames: readonly string[] = Array.from(
  { length: newestMinor - oldestMinor + 1 },
  (_none, index) => `1.${oldestMinor + index}`,
);
