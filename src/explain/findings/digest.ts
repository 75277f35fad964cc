import { maskTrace } from '../trace/mask.ts';
import { denierText } from '../trace/trace-summary.ts';
import type { Trace } from '../trace/trace.ts';
import type { Finding, FindingRule, Severity } from './finding.ts';
import { findingsOf } from './findings-of.ts';

/** The findings of a request, as lists of requests show them. */
export interface Digest {
  readonly id: string;
  /** The webhook, policy or plugin that refused it, or `API server`; empty for an admitted request. */
  readonly refusedBy: string;
  /** Errors first, notes last. Values of Secrets are masked. */
  readonly findings: readonly Pick<Finding, 'rule' | 'severity' | 'title'>[];
}

/** An unreadable trace of another program has no findings. */
export function digestOf(trace: Trace): Digest {
  const { id } = trace;
  try {
    const findings = findingsOf(maskTrace(trace)).map(({ rule, severity, title }) => ({ rule, severity, title }));
    return { id, refusedBy: denierText(trace), findings };
  } catch {
    return { id, refusedBy: '', findings: [] };
  }
}

/** The trace log keeps as many. */
const mostKept = 2_000;

/** Creates the digest of a trace at its first use. */
export function createDigests(get: (id: string) => Trace | undefined): (id: string) => Digest | undefined {
  const made = new Map<string, Digest>();
  return (id) => {
    const known = made.get(id);
    if (known) return known;
    const trace = get(id);
    if (trace === undefined) return undefined;
    const digest = digestOf(trace);
    made.set(id, digest);
    const [oldest] = made.keys();
    if (made.size > mostKept && oldest !== undefined) made.delete(oldest);
    return digest;
  };
}

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
