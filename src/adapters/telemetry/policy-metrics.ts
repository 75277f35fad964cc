import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { outOfBudget } from '../../apiserver/admission/matching/expressions.ts';
import type { PolicyRecord } from '../../apiserver/admission/chain/outcome.ts';
import { asList, asString } from '../../machinery/json/json.ts';

export type RecordPolicy = (record: PolicyRecord) => void;

/** Follows apiserver pkg/admission/plugin/policy/validating/metrics/metrics.go and mutating/metrics/metrics.go. */
export function createPolicyMetrics(registry: Registry): RecordPolicy {
  const own = ['error_type', 'policy', 'policy_binding'];
  const observeValidation = checksOf(registry, 'validating', ['enforcement_action', ...own], '[BETA]');
  const observeMutation = checksOf(registry, 'mutating', own, '[ALPHA]');
  return (record) => {
    const seconds = (record.finishedAt - record.startedAt) / 1000;
    const isValidating = record.phase === 'validating';
    const observe = isValidating ? observeValidation : observeMutation;
    for (const values of isValidating ? validationsOf(record) : mutationsOf(record)) {
      observe(seconds, [...values, record.policy, record.binding ?? '']);
    }
  };
}

function checksOf(
  registry: Registry,
  phase: 'validating' | 'mutating',
  labelNames: readonly string[],
  stability: string,
): (seconds: number, values: readonly string[]) => void {
  const name = `apiserver_${phase}_admission_policy_check`;
  const common = { labelNames, registers: [registry] };
  const total = new Counter({
    ...common,
    name: `${name}_total`,
    help: `${stability} Checks of ${phase} admission policies.`,
  });
  const duration = new Histogram({
    ...common,
    name: `${name}_duration_seconds`,
    help: `${stability} How long the checks of ${phase} admission policies took.`,
    buckets: [0.0000005, 0.001, 0.01, 0.1, 1],
  });
  return (seconds, values) => {
    total.labels(...values).inc();
    duration.labels(...values).observe(seconds);
  };
}

type Labels = readonly string[];

/** One per failed validation and action of the binding. */
function validationsOf({ outcome, bound }: PolicyRecord): readonly Labels[] {
  if (outcome.outcome === 'skipped') return [];
  const actions = asList(bound?.['validationActions']).map((action) => asString(action).toLowerCase());
  return outcome.validations.flatMap(({ result, message = '' }): readonly Labels[] => {
    if (result === 'true') return [];
    const isIgnored = result === 'error' && outcome.outcome === 'failed-open';
    return (isIgnored ? ['allow'] : actions).map((action) => [action, errorType(message)]);
  });
}

function mutationsOf({ outcome }: PolicyRecord): readonly Labels[] {
  if (outcome.outcome === 'skipped') return [];
  return (outcome.mutations ?? []).map(({ error }) => [error === undefined ? 'no_error' : errorType(error)]);
}

/** Follows errors.go beside the two: a false validation counts as invalid_error. */
function errorType(message: string): string {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith(outOfBudget) ? 'out_of_budget' : 'invalid_error';
}
