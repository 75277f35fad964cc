import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { nameOf, namespaceOf } from '../fields.ts';
import type { Job, PodFailurePolicyRule } from '../../../api/types/generated/batch-v1.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';

/** The effect of a Pod failure on its Job. */
export interface PodFailureMatch {
  /** Counts towards backoffLimit. */
  readonly counts: boolean;
  readonly action?: string;
  /** The reason when the Job fails at once. */
  readonly message?: string;
}

const countedFailure: PodFailureMatch = { counts: true };

/** The first matching rule decides. Follows pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy. */
export function matchPodFailurePolicy(job: Job, pod: Pod): PodFailureMatch {
  const rules = asList(job.spec?.podFailurePolicy?.rules);
  for (const [index, rule] of rules.entries()) {
    const what = rule.onExitCodes === undefined ? matchConditions(rule, pod) : matchExitCodes(rule, pod);
    if (what === undefined) continue;
    const action = asString(rule.action);
    if (action === 'FailJob')
      return { ...countedFailure, action, message: `${what} matching FailJob rule at index ${index}` };
    return { counts: action !== 'Ignore', action };
  }
  return countedFailure;
}

function matchExitCodes({ onExitCodes }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { containerName, operator, values } = asObject(onExitCodes);
  const statuses = [...asList(pod.status?.containerStatuses), ...asList(pod.status?.initContainerStatuses)];
  for (const status of statuses) {
    const code = status.state?.terminated?.exitCode ?? 0;
    const isNamed = containerName === undefined || containerName === status.name;
    if (!isNamed || code === 0 || (operator === 'In') !== asList(values).includes(code)) continue;
    return `Container ${asString(status.name)} for pod ${podText(pod)} failed with exit code ${code}`;
  }
  return undefined;
}

function matchConditions({ onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const patterns = asList(onPodConditions);
  const conditions = asList(pod.status?.conditions);
  const found = conditions.find(({ type, status }) =>
    patterns.some((pattern) => pattern.type === type && pattern.status === status),
  );
  return found && `Pod ${podText(pod)} has condition ${asString(found.type)}`;
}

const podText = (pod: Pod): string => `${namespaceOf(pod)}/${nameOf(pod)}`;
