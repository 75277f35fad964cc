import { Counter, Histogram, type Registry } from 'prom-client';
import type { WebhookOutcome, WebhookRecord } from '../../apiserver/admission/chain/outcome.ts';
import type { ConditionRecord } from '../../apiserver/admission/chain/skip-reason.ts';

type RecordWebhook = (record: WebhookRecord, operation: string) => void;

const prefix = 'apiserver_admission_';

/** Follows apiserver pkg/admission/metrics/metrics.go and pkg/admission/plugin/webhook (rules MET-1 to MET-5). */
export function createWebhookMetrics(registry: Registry): RecordWebhook {
  const registers = [registry];
  const duration = new Histogram({
    name: `${prefix}webhook_admission_duration_seconds`,
    help: '[STABLE] How long calls to a webhook took.',
    labelNames: ['name', 'operation', 'rejected', 'type'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
    registers,
  });
  const rejections = new Counter({
    name: `${prefix}webhook_rejection_count`,
    help: '[ALPHA] Requests that a webhook rejected, with the code of the rejection or the kind of error.',
    labelNames: ['error_type', 'name', 'operation', 'rejection_code', 'type'],
    registers,
  });
  const failOpen = new Counter({
    name: `${prefix}webhook_fail_open_count`,
    help: '[ALPHA] Failed calls that failurePolicy Ignore ignored.',
    labelNames: ['name', 'type'],
    registers,
  });
  const requests = new Counter({
    name: `${prefix}webhook_request_total`,
    help: '[ALPHA] Calls to a webhook.',
    labelNames: ['code', 'name', 'operation', 'rejected', 'type'],
    registers,
  });
  const recordConditions = createConditionMetrics(registry);
  return (record, operation) => {
    recordConditions(record, operation);
    const result = callResult(record.outcome);
    if (!result) return;
    const { errorType, isCanceled } = result;
    const { webhook: name } = record;
    const code = String(result.code);
    const rejected = String(result.rejected);
    const type = record.phase === 'mutating' ? 'admit' : 'validating';
    if (errorType && !isCanceled)
      rejections.inc({ error_type: errorType, name, operation, rejection_code: code, type });
    if (record.outcome.outcome === 'failed-open' && !isCanceled) failOpen.inc({ name, type });
    requests.inc({ code, name, operation, rejected, type });
    duration.observe({ name, operation, rejected, type }, secondsOf(record));
  };
}

const secondsOf = ({ startedAt, finishedAt }: WebhookRecord): number => (finishedAt - startedAt) / 1000;

/** Rule MET-5: only false and failed conditions have a duration. */
function createConditionMetrics(registry: Registry): RecordWebhook {
  const labelNames = ['kind', 'name', 'operation', 'type'];
  const registers = [registry];
  const errors = new Counter({
    name: `${prefix}match_condition_evaluation_errors_total`,
    help: '[ALPHA] matchConditions that could not be evaluated.',
    labelNames,
    registers,
  });
  const exclusions = new Counter({
    name: `${prefix}match_condition_exclusions_total`,
    help: '[ALPHA] Webhooks not called because of their matchConditions.',
    labelNames,
    registers,
  });
  const seconds = new Histogram({
    name: `${prefix}match_condition_evaluation_seconds`,
    help: '[ALPHA] How long matchConditions that were not true took.',
    labelNames,
    buckets: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
    registers,
  });
  return (record, operation) => {
    const { conditions, webhook: name, phase, outcome } = record;
    if (!conditions || conditions.every(({ result }) => result === 'true')) return;
    const labels = { kind: 'webhook', name, operation, type: phase === 'mutating' ? 'admit' : 'validating' };
    const failed = errorsBeforeFalse(conditions);
    if (failed > 0) errors.inc(labels, failed);
    seconds.observe(labels, secondsOf(record));
    if (outcome.outcome !== 'skipped') return;
    exclusions.inc({ ...labels, type: phase === 'mutating' ? 'admit' : 'validate' });
  };
}

/** Errors after the first false condition do not count. */
function errorsBeforeFalse(conditions: readonly ConditionRecord[]): number {
  const end = conditions.findIndex(({ result }) => result === 'false');
  return conditions.slice(0, end < 0 ? conditions.length : end).filter(({ result }) => result === 'error').length;
}

interface CallResult {
  readonly code: number;
  readonly rejected: boolean;
  /** undefined when the call did not reject. */
  readonly errorType: 'calling_webhook_error' | 'apiserver_internal_error' | 'no_error' | undefined;
  /** The client disconnected: counts neither as rejection nor as fail-open. */
  readonly isCanceled: boolean;
}

/**
 * undefined when the webhook was not called. Follows apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go
 * (rules FAIL-2, MET-2 to MET-4).
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
