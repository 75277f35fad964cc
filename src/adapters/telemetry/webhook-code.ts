import type { WebhookOutcome } from '../../apiserver/admission/chain/outcome.ts';

/** What the metrics say of one call. */
export interface CallResult {
  readonly code: number;
  readonly rejected: boolean;
  /** undefined when the call rejected nothing. */
  readonly errorType: 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error' | undefined;
  /** The client had gone: neither a rejection nor a fail-open is counted. */
  readonly isCanceled: boolean;
}

/**
 * The code and kind of a call; undefined when there was none. Follows apiserver
 * pkg/admission/plugin/webhook/mutating/dispatcher.go (rules FAIL-2, MET-2 to MET-4).
 */
export function callResult(outcome: WebhookOutcome): CallResult | undefined {
  switch (outcome.outcome) {
    case 'skipped':
    case 'refused':
      return undefined;
    case 'allowed':
      return { code: 200, rejected: false, errorType: undefined, isCanceled: false };
    case 'denied':
      return { code: atMost600(outcome.status.code), rejected: true, errorType: 'no_error', isCanceled: false };
    case 'failed-open':
      return {
        code: failureCode(outcome),
        rejected: false,
        errorType: undefined,
        isCanceled: outcome.phase === 'canceled',
      };
    case 'failed-closed': {
      const { byPolicy } = outcome;
      return {
        code: byPolicy ? failureCode(outcome) : 0,
        rejected: true,
        errorType: byPolicy ? 'calling_webhook_error' : 'apiserver_internal_error',
        isCanceled: outcome.phase === 'canceled',
      };
    }
  }
}

type Failure = Extract<WebhookOutcome, { readonly outcome: 'failed-open' | 'failed-closed' }>;

function failureCode({ phase, countedAs, httpCode }: Failure): number {
  if (phase === 'dry-run') return 400;
  if (countedAs !== undefined) return countedAs;
  if (phase === 'client') return 500;
  return atMost600(httpCode ?? 503);
}

const atMost600 = (code: number): number => Math.min(code, 600);
