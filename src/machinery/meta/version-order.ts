/**
 * Which of two versions of an API is newer: above 0 if it is the first. GA before beta before alpha, then by number; names
 * that are no versions come last, the first of the alphabet ahead. Follows apimachinery pkg/version/helpers.go.
 */
export const compareVersionNames = (a: string, b: string): number => compareRead(a, readVersion(a), b, readVersion(b));

/** Names in this order; each is read once. */
export const newestFirst = (names: Iterable<string>): readonly string[] =>
  Array.from(names, (name) => ({ name, version: readVersion(name) }))
    .toSorted((a, b) => compareRead(b.name, b.version, a.name, a.version))
    .map(({ name }) => name);

function compareRead(a: string, first: Version | undefined, b: string, second: Version | undefined): number {
  if (a === b) return 0;
  if (!first && !second) return a < b ? 1 : -1;
  if (!first) return -1;
  if (!second) return 1;
  return first.stage - second.stage || first.major - second.major || first.minor - second.minor;
}

interface Version {
  readonly major: number;
  /** 2 for GA, 1 for beta, 0 for alpha. */
  readonly stage: number;
  readonly minor: number;
}

const stages: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

function readVersion(name: string): Version | undefined {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(name);
  if (!match) return undefined;
  const [, major = '', stage = '', minor = '0'] = match;
  return { major: Number(major), stage: stages[stage] ?? 2, minor: Number(minor) };
}
