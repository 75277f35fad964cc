import { maskTrace } from '../trace/mask.ts';
import { refusedBy } from '../trace/refused-by.ts';
import type { Trace } from '../trace/trace.ts';
import type { Finding } from './finding.ts';
import { findingsOf } from './findings-of.ts';

/** What lists of requests say of one, beside its summary. */
export interface Digest {
  readonly id: string;
  /** The webhook, policy or plugin that refused it, or `API server`; empty when it was admitted. */
  readonly refusedBy: string;
  /** The gravest first; notes too. What Secrets hold is masked. */
  readonly findings: readonly Pick<Finding, 'rule' | 'severity' | 'title'>[];
}

/** A trace from elsewhere that cannot be read has no findings. */
export function digestOf(trace: Trace): Digest {
  const { id } = trace;
  try {
    const findings = findingsOf(maskTrace(trace)).map(({ rule, severity, title }) => ({ rule, severity, title }));
    return { id, refusedBy: refusedBy(trace), findings };
  } catch {
    return { id, refusedBy: '', findings: [] };
  }
}

/** As many as traces are kept. */
const mostKept = 10_000;

/** Digests of the traces that `get` has, each made when it is asked for first. */
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
