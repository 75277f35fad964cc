import { outOfBudget } from '../admission/matching/expressions.ts';
import type { PolicyRecord } from '../admission/outcome.ts';
import { asList, asString } from '../apimachinery/json.ts';
import { createCounter } from './counter.ts';
import type { Family } from './family.ts';
import { createTiming } from './timing.ts';

/** Counts what the expressions of admission policies came to. */
export interface PolicyMetrics {
  readonly record: (record: PolicyRecord) => void;
  readonly families: readonly Family[];
}

const bounds = [0.0000005, 0.001, 0.01, 0.1, 1];

/** Follows apiserver pkg/admission/plugin/policy/validating/metrics/metrics.go and mutating/metrics/metrics.go. */
export function createPolicyMetrics(): PolicyMetrics {
  const validating = counted('validating', ['enforcement_action', 'error_type', 'policy', 'policy_binding'], '[BETA]');
  const mutating = counted('mutating', ['error_type', 'policy', 'policy_binding'], '[ALPHA]');
  return {
    record: (record) => {
      const seconds = (record.finishedAt - record.startedAt) / 1000;
      const observe = record.phase === 'validating' ? validating.observe : mutating.observe;
      const checks = record.phase === 'validating' ? validationsOf(record) : mutationsOf(record);
      for (const labels of checks) observe(seconds, ...labels, record.policy, record.binding ?? '');
    },
    families: [...validating.families, ...mutating.families],
  };
}

function counted(phase: 'validating' | 'mutating', labels: readonly string[], stability: string) {
  const name = `apiserver_${phase}_admission_policy_check`;
  const total = createCounter(`${name}_total`, `${stability} Checks of ${phase} admission policies.`, labels);
  const duration = createTiming({
    name: `${name}_duration_seconds`,
    help: `${stability} How long the checks of ${phase} admission policies took.`,
    labels,
    bounds,
  });
  const observe = (seconds: number, ...values: readonly string[]): void => {
    total.add(...values);
    duration.observe(seconds, ...values);
  };
  return { observe, families: [total.family, duration.family] };
}

type Labels = readonly string[];

/** One for each failed validation and each action of the binding; what holds is not counted. */
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

/** Follows errors.go beside the two: a validation that is plainly false counts as invalid_error too. */
function errorType(message: string): string {
  if (message.startsWith('compilation')) return 'compile_error';
  return message.startsWith(outOfBudget) ? 'out_of_budget' : 'invalid_error';
}
