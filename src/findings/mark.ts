import type { Trace } from '../trace/trace.ts';
import type { FindingRule, Severity } from './finding.ts';
import { findingsOf } from './findings-of.ts';

/** That a request has findings, as a line of a list says it: nothing of the objects is in it. */
export interface FindingMark {
  /** Of the gravest. */
  readonly severity: Exclude<Severity, 'note'>;
  /** One for each finding, the gravest first; notes are left out. */
  readonly rules: readonly FindingRule[];
}

/** undefined when there is nothing graver than a note, and for a trace from elsewhere that cannot be read. */
export function markOf(trace: Trace): FindingMark | undefined {
  const [first, ...others] = findingsIn(trace).filter(isGrave);
  return first && { severity: first.severity, rules: [first, ...others].map(({ rule }) => rule) };
}

type Found = ReturnType<typeof findingsOf>[number];

const isGrave = (finding: Found): finding is Found & { readonly severity: FindingMark['severity'] } =>
  finding.severity !== 'note';

function findingsIn(trace: Trace): readonly Found[] {
  try {
    return findingsOf(trace);
  } catch {
    return [];
  }
}
