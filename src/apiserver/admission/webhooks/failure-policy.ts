import { internalError } from '../../../machinery/meta/status.ts';
import type { Status } from '../../../machinery/meta/status.ts';
import type { Called, FailurePhase, WebhookOutcome } from '../chain/outcome.ts';
import type { ServerCertificate } from './call.ts';
import type { Webhook } from './configuration.ts';
import type { FailureCause } from './failure-cause.ts';

/** A call that brought no usable verdict. `reason` is the text behind `failed calling webhook "…": `. */
export interface CallFailure {
  readonly phase: FailurePhase;
  readonly reason: string;
  /** The same without what every such text begins with; absent where it is the whole. */
  readonly detail?: string | undefined;
  readonly cause?: FailureCause | undefined;
  readonly certificate?: ServerCertificate | undefined;
  /** The code by which it is counted, where the phase does not tell. */
  readonly countedAs?: 400;
}

/**
 * What a failed call comes to: Ignore goes on without the webhook, as does one of which that is assumed; Fail refuses the
 * request with code 500.
 * Follows apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go (rules FAIL-1, FAIL-10, FAIL-14).
 */
export function applyFailurePolicy(
  { name, failurePolicy }: Webhook,
  { phase, reason, detail = reason, cause, certificate, countedAs }: CallFailure,
  called: Called,
): WebhookOutcome {
  const error = failedCalling(name, reason);
  const failure = { phase, error, detail, cause, certificate, ...(countedAs && { countedAs }) };
  if (failurePolicy === 'Ignore' || called.assumed === 'ignore')
    return { ...called, ...failure, outcome: 'failed-open' };
  return { ...called, ...failure, outcome: 'failed-closed', byPolicy: true, status: internalError(error) };
}

/** One that has side effects and is asked to take part in a dry run: failurePolicy has no say (rules DRY-2, DRY-3). */
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
