import { internalError } from '../../apimachinery/status.ts';
import type { Called, FailurePhase, WebhookOutcome } from '../outcome.ts';
import type { ServerCertificate } from './call.ts';
import type { Webhook } from './configuration.ts';

/** A call that brought no usable verdict. `reason` is the text behind `failed calling webhook "…": `. */
export interface CallFailure {
  readonly phase: FailurePhase;
  readonly reason: string;
  readonly certificate?: ServerCertificate | undefined;
}

/**
 * What a failed call comes to: Ignore goes on without the webhook, as does one of which that is assumed; Fail refuses the
 * request with code 500.
 * Follows apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go (rules FAIL-1, FAIL-10, FAIL-14).
 */
export function applyFailurePolicy(
  { name, failurePolicy }: Webhook,
  { phase, reason, certificate }: CallFailure,
  called: Called,
): WebhookOutcome {
  const error = failedCalling(name, reason);
  if (failurePolicy === 'Ignore' || called.assumed === 'ignore')
    return { ...called, outcome: 'failed-open', phase, error, certificate };
  return { ...called, outcome: 'failed-closed', phase, error, certificate, status: internalError(error) };
}

/** Follows apiserver pkg/util/webhook/error.go. */
export const failedCalling = (webhookName: string, reason: string): string =>
  `failed calling webhook "${webhookName}": ${reason}`;
