import { modelOf } from '../../explain/model.ts';
import type { WebhookNames } from '../../trace/trace-summary.ts';
import { summaryOf } from '../../trace/trace-summary.ts';
import type { Trace } from '../../trace/trace.ts';

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
  readonly refusedBy: string;
  readonly message: string;
  readonly webhooks: WebhookNames;
  readonly findings: readonly { readonly rule: string; readonly severity: string; readonly title: string }[];
}

/** What is told of a trace in a list. */
export function rowOf(trace: Trace): RequestRow {
  const { id, startedAt, milliseconds, verb, resource, namespace, name, user, dryRun, code, message, webhooks } =
    summaryOf(trace);
  const { findings, headlines } = modelOf(trace);
  const refusal = headlines.find(({ about }) => about === 'refusal');
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
    refusedBy: trace.verdict === 'refused' ? refusal?.name || 'API server' : '',
    message,
    webhooks,
    findings: findings.map(({ rule, severity, title }) => ({ rule, severity, title })),
  };
}
