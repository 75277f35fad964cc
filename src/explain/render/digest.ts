import type { Finding } from '../findings/finding.ts';
import { maskTrace } from '../trace/mask.ts';
import { denierText } from '../trace/trace-summary.ts';
import type { Trace } from '../trace/trace.ts';
import { modelOf, type TraceModel } from './model.ts';
import type { RequestHeadline } from './request-headline.ts';

/** What lists of requests show of a request. Values of Secrets are masked. */
export interface Digest {
  readonly id: string;
  /** The webhook, policy or plugin that refused it, or `API server`; empty for an admitted request. */
  readonly refusedBy: string;
  readonly headline: RequestHeadline;
  /** Errors first, notes last. */
  readonly findings: readonly Pick<Finding, 'rule' | 'severity' | 'title'>[];
  readonly marks: readonly RequestMark[];
  /** A webhook or policy nearly matched, and that is worth a look. */
  readonly isNearMiss?: true;
}

/** `assumed`: `--assume` answered for a webhook. */
export type RequestMark = 'failed open' | 'second round' | 'assumed';

/** An unreadable trace of another program has no findings. */
export function digestOf(trace: Trace): Digest {
  const { id } = trace;
  try {
    const model = modelOf(maskTrace(trace));
    const { headline, findings, headlines } = model;
    const isNearMiss = headlines.some(({ about }) => about === 'near-miss') && areNearMissesRelevant(model);
    return {
      id,
      refusedBy: denierText(trace),
      headline,
      findings: findings.map(({ rule, severity, title }) => ({ rule, severity, title })),
      marks: requestMarks(trace),
      ...(isNearMiss ? { isNearMiss } : {}),
    };
  } catch {
    return { id, refusedBy: '', headline: { tone: 'quiet', text: '' }, findings: [], marks: [] };
  }
}

/**
 * A webhook for creates nearly matches each update, and one for Pods each status: news are near misses of what is created, and of
 * what a client does to another subresource, such as `deployments/scale`.
 */
export function areNearMissesRelevant({ verdict, request: { resource, user } }: TraceModel): boolean {
  const [, subresource] = resource.split('/');
  if (subresource === undefined) return verdict.code === 201;
  return subresource !== 'status' && !user.startsWith('system:');
}

function requestMarks({ admission }: Trace): readonly RequestMark[] {
  const all = admission.flatMap((one): readonly RequestMark[] => {
    if (one.type === 'plugin' || one.outcome === 'skipped') return [];
    const round: readonly RequestMark[] = one.round === 1 ? ['second round'] : [];
    if (one.type === 'webhook' && one.assumed !== undefined) return ['assumed', ...round];
    return one.outcome === 'failed-open' ? ['failed open', ...round] : round;
  });
  return [...new Set(all)];
}

/** The trace log keeps as many. */
const maxKept = 2_000;

/** Creates the digest of a trace at its first use. */
export function createDigests(get: (id: string) => Trace | undefined): (id: string) => Digest | undefined {
  const digests = new Map<string, Digest>();
  return (id) => {
    const known = digests.get(id);
    if (known) return known;
    const trace = get(id);
    if (trace === undefined) return undefined;
    const digest = digestOf(trace);
    digests.set(id, digest);
    const [oldest] = digests.keys();
    if (digests.size > maxKept && oldest !== undefined) digests.delete(oldest);
    return digest;
  };
}

export const isWarningOrError = ({ severity }: Pick<Finding, 'severity'>): boolean => severity !== 'note';
