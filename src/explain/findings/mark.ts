import type { Digest } from './digest.ts';
import type { FindingRule, Severity } from './finding.ts';

/** That a request has findings, as a line of a list says it: nothing of the objects is in it. */
export interface FindingMark {
  /** Of the gravest. */
  readonly severity: Exclude<Severity, 'note'>;
  /** One for each finding, the gravest first; notes are left out. */
  readonly rules: readonly FindingRule[];
}

/** undefined when there is nothing graver than a note. */
export function markOf({ findings }: Pick<Digest, 'findings'>): FindingMark | undefined {
  const [first, ...others] = findings.filter(isGrave);
  return first && { severity: first.severity, rules: [first, ...others].map(({ rule }) => rule) };
}

type Found = Digest['findings'][number];

/** A note is good to know, and no reason to look. */
export const isGrave = (finding: Found): finding is Found & { readonly severity: FindingMark['severity'] } =>
  finding.severity !== 'note';
