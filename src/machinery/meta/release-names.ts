/** The newest minor version: its tables are the base of the others. */
export const newestMinor = 37;
export const defaultMinor = 37;
export const oldestMinor = 33;

/** Patch numbers of releases whose tables are not those of their first version. */
const patches: Readonly<Record<string, number>> = { '1.36': 2, '1.37': 2 };

/** `v1.37.2` for `1.37`: the version of kube-apiserver from which its tables are made. */
export const versionOfRelease = (name: string): string => `v${name}.${patches[name] ?? 0}`;

/** The version of kube-apiserver whose behaviour is the default. */
export const followedVersion = versionOfRelease(`1.${defaultMinor}`);

/** 37 for `1.37` and `v1.37.2`; '' is the default release. */
export const minorOfVersion = (version: string): number => Number(/^v?1\.(\d+)/.exec(version)?.[1] ?? defaultMinor);

/** The releases that can be served, from the oldest on. */
export const releaseNames: readonly string[] = Array.from(
  { length: newestMinor - oldestMinor + 1 },
  (_none, index) => `1.${oldestMinor + index}`,
);
