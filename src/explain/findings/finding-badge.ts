import type { Digest } from './digest.ts';
import type { FindingRule, Severity } from './finding.ts';

/** The severity and rules of a request's findings, without data of its objects. */
export interface FindingBadge {
  /** The highest. */
  readonly severity: Exclude<Severity, 'note'>;
  /** Errors first, without notes. */
  readonly rules: readonly FindingRule[];
}

/** undefined when there are only notes. */
export function badgeOf({ findings }: Pick<Digest, 'findings'>): FindingBadge | undefined {
  const [first, ...others] = findings.filter(isWarningOrError);
  return first && { severity: first.severity, rules: [first, ...others].map(({ rule }) => rule) };
}

type Found = Digest['findings'][number];

export const isWarningOrError = (finding: Found): finding is Found & { readonly severity: FindingBadge['severity'] } =>
  finding.severity !== 'note';
