import type { Digest } from '../../../explain/findings/digest.ts';
import type { TraceSummary, WebhookNames } from '../../../explain/trace/trace-summary.ts';

/** One request as `kadmit requests -o json` tells of it. */
export interface RequestRow {
  readonly id: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly milliseconds: number;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly dryRun: boolean;
  readonly code: number;
  /** The webhook, policy or plugin that refused it, or `API server`; empty when it was admitted. */
  readonly refusedBy: Digest['refusedBy'];
  readonly message: string;
  readonly webhooks: WebhookNames;
  readonly findings: Digest['findings'];
}

/** What is told of a request in a list. */
export function rowOf(summary: TraceSummary, { refusedBy, findings }: Omit<Digest, 'id'>): RequestRow {
  const { id, startedAt, milliseconds, verb, resource, namespace, name, user, dryRun, code, message, webhooks } =
    summary;
  return {
    id,
    startedAt: new Date(startedAt).toISOString(),
    milliseconds,
    verb,
    resource,
    namespace,
    name,
    user,
    dryRun,
    code,
    refusedBy,
    message,
    webhooks,
    findings,
  };
}
