/** Something kube-apiserver does and kadmit does not, or not yet. docs/fidelity.md is made of these rows. */
export interface KnownGap {
  readonly gap: string;
  /** What a client gets instead. */
  readonly answer: string;
  readonly because: string;
  /** Recorded conversations that cannot agree because of it. When one starts to agree its test fails: take it off. */
  readonly facts?: readonly string[];
}

export const knownGaps: readonly KnownGap[] = [
];
