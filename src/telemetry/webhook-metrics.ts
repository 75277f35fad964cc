import type { WebhookRecord } from '../admission/outcome.ts';
import type { ConditionRecord } from '../admission/skip-reason.ts';
import { createCounter } from './counter.ts';
import type { Family } from './family.ts';
import { createTiming } from './timing.ts';
import { callResult } from './webhook-code.ts';

/** Counts what became of each webhook. */
export interface WebhookMetrics {
  readonly record: (record: WebhookRecord, operation: string) => void;
  readonly families: readonly Family[];
}

const prefix = 'apiserver_admission_';

/** Follows apiserver pkg/admission/metrics/metrics.go and pkg/admission/plugin/webhook (rules MET-1 to MET-5). */
export function createWebhookMetrics(): WebhookMetrics {
  const duration = createTiming({
    name: `${prefix}webhook_admission_duration_seconds`,
    help: '[STABLE] How long calls to a webhook took.',
    labels: ['name', 'operation', 'rejected', 'type'],
    bounds: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
  });
  const rejections = createCounter(
    `${prefix}webhook_rejection_count`,
    '[ALPHA] Requests that a webhook rejected, with the code of the rejection or the kind of error.',
    ['error_type', 'name', 'operation', 'rejection_code', 'type'],
  );
  const failOpen = createCounter(
    `${prefix}webhook_fail_open_count`,
    '[ALPHA] Failed calls that failurePolicy Ignore let pass.',
    ['name', 'type'],
  );
  const requests = createCounter(`${prefix}webhook_request_total`, '[ALPHA] Calls to a webhook.', [
    'code',
    'name',
    'operation',
    'rejected',
    'type',
  ]);
  const conditions = createConditionMetrics();
  return {
    record: (record, operation) => {
      conditions.record(record, operation);
      const result = callResult(record.outcome);
      if (!result) return;
      const { code, errorType, isCanceled } = result;
      const { webhook: name } = record;
      const type = record.phase === 'mutating' ? 'admit' : 'validating';
      const rejected = String(result.rejected);
      if (errorType && !isCanceled) rejections.add(errorType, name, operation, String(code), type);
      if (record.outcome.outcome === 'failed-open' && !isCanceled) failOpen.add(name, type);
      requests.add(String(code), name, operation, rejected, type);
      duration.observe(secondsOf(record), name, operation, rejected, type);
    },
    families: [duration.family, rejections.family, failOpen.family, requests.family, ...conditions.families],
  };
}

const secondsOf = ({ startedAt, finishedAt }: WebhookRecord): number => (finishedAt - startedAt) / 1000;

/** Rule MET-5: a time is observed only where a condition was false or failed. */
function createConditionMetrics(): WebhookMetrics {
  const labels = ['kind', 'name', 'operation', 'type'];
  const errors = createCounter(
    `${prefix}match_condition_evaluation_errors_total`,
    '[ALPHA] matchConditions that could not be evaluated.',
    labels,
  );
  const exclusions = createCounter(
    `${prefix}match_condition_exclusions_total`,
    '[ALPHA] Webhooks not called because of their matchConditions.',
    labels,
  );
  const seconds = createTiming({
    name: `${prefix}match_condition_evaluation_seconds`,
    help: '[ALPHA] How long matchConditions that did not hold took.',
    labels,
    bounds: [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25],
  });
  return {
    record: (record, operation) => {
      const { conditions, webhook: name, phase, outcome } = record;
      if (!conditions || conditions.every(({ result }) => result === 'true')) return;
      const type = phase === 'mutating' ? 'admit' : 'validating';
      for (let left = errorsBeforeFalse(conditions); left > 0; left -= 1) errors.add('webhook', name, operation, type);
      seconds.observe(secondsOf(record), 'webhook', name, operation, type);
      if (outcome.outcome !== 'skipped') return;
      exclusions.add('webhook', name, operation, phase === 'mutating' ? 'admit' : 'validate');
    },
    families: [errors.family, exclusions.family, seconds.family],
  };
}

/** Behind the first that is false nothing is counted. */
function errorsBeforeFalse(conditions: readonly ConditionRecord[]): number {
  const end = conditions.findIndex(({ result }) => result === 'false');
  return conditions.slice(0, end < 0 ? conditions.length : end).filter(({ result }) => result === 'error').length;
}
