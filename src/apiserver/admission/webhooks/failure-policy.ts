import { internalError, type Status } from '../../../machinery/meta/status.ts';
import type { Called, FailureDetails, WebhookOutcome } from '../chain/outcome.ts';
import type { AdmissionWebhook } from './read-webhooks.ts';

export interface CallFailure extends FailureDetails {
  readonly reason: string;
  /** Without the common prefix; absent if equal. */
  readonly detail?: string | undefined;
}

/**
 * Ignore continues without the webhook, Fail refuses with 500. Follows apiserver
 * pkg/admission/plugin/webhook/mutating/dispatcher.go (rules FAIL-1, FAIL-10, FAIL-14).
 */
export function applyFailurePolicy(
  { name, failurePolicy }: AdmissionWebhook,
  { phase, reason, detail = reason, cause, certificate, countedAs }: CallFailure,
  called: Called,
): WebhookOutcome {
  const error = failedCalling(name, reason);
  const failure = { phase, error, detail, cause, certificate, ...(countedAs && { countedAs }) };
  if (failurePolicy === 'Ignore' || called.assumed === 'ignore')
    return { ...called, ...failure, outcome: 'failed-open' };
  return { ...called, ...failure, outcome: 'failed-closed', byPolicy: true, status: internalError(error) };
}

/** failurePolicy is ignored for side effects in a dry run (rules DRY-2, DRY-3). */
export const dryRunRefusal = (called: Called, status: Status): WebhookOutcome => ({
  ...called,
  outcome: 'failed-closed',
  byPolicy: false,
  phase: 'dry-run',
  error: status.message ?? '',
  detail: status.message ?? '',
  status,
});

/** Follows apiserver pkg/util/webhook/error.go. */
export const failedCalling = (webhookName: string, reason: string): string =>
  `failed calling webhook "${webhookName}": ${reason}`;
