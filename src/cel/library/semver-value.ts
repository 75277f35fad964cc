/** A semantic version. `identity` is equal for versions that compare equal. */
export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly string[];
  readonly identity: string;
}
