import { asList, asObject, asString, type JsonObject, type JsonValue, valueAt } from '../../machinery/json/json.ts';
import { readLabelSelector, selectorText } from '../../machinery/selectors/label-selector.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { failure, forbidden, type Status } from '../../machinery/meta/status.ts';
import { formatTime } from '../../machinery/meta/time.ts';

export type EvictionVerdict =
  /** No budget matches the pod. */
  | { readonly verdict: 'free' }
  /** The pod is not ready: evict it if it is unchanged. */
  | { readonly verdict: 'unhealthy'; readonly budget: KubernetesObject }
  /** `next` is stored before the pod is removed. */
  | { readonly verdict: 'charged'; readonly budget: KubernetesObject; readonly next: KubernetesObject }
  | { readonly verdict: 'refused'; readonly status: Status }
  | { readonly verdict: 'several' };

interface Clocked {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Of the release. */
  readonly minor: number;
}

/** Follows kubernetes pkg/registry/core/pod/storage/eviction.go. */
export function decideEviction(
  pod: KubernetesObject,
  budgets: readonly KubernetesObject[],
  { now, minor }: Clocked,
): EvictionVerdict {
  const [budget, ...others] = budgets.filter((one) => matchesPod(one, pod));
  if (!budget) return { verdict: 'free' };
  if (others.length > 0) return { verdict: 'several' };
  return !isReady(pod) && allowsUnhealthyEviction(budget)
    ? { verdict: 'unhealthy', budget }
    : charge(budget, pod, { now, minor });
}

/** Finished, pending and terminating pods need no budget. */
export function canIgnorePDB(pod: KubernetesObject): boolean {
  const phase = asString(valueAt(pod, 'status', 'phase'));
  return ['Succeeded', 'Failed', 'Pending'].includes(phase) || metadataOf(pod).deletionTimestamp !== undefined;
}

/** An empty selector matches nothing. */
function matchesPod(budget: KubernetesObject, pod: KubernetesObject): boolean {
  const read = readLabelSelector(valueAt(budget, 'spec', 'selector'));
  if (read.outcome !== 'selector' || selectorText(read.selector) === '') return false;
  return read.selector.matches(metadataOf(pod).labels ?? {});
}

const isReady = (pod: KubernetesObject): boolean =>
  asList(valueAt(pod, 'status', 'conditions')).some((condition) => {
    const { type, status } = asObject(condition);
    return type === 'Ready' && status === 'True';
  });

function allowsUnhealthyEviction(budget: KubernetesObject): boolean {
  if (valueAt(budget, 'spec', 'unhealthyPodEvictionPolicy') === 'AlwaysAllow') return true;
  const { desiredHealthy, currentHealthy } = countsOf(budget);
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

const maxDisruptedPods = 2000;

function charge(budget: KubernetesObject, pod: KubernetesObject, { now, minor }: Clocked): EvictionVerdict {
  const { allowed, observedGeneration } = countsOf(budget);
  const refuse = (status: Status): EvictionVerdict => ({ verdict: 'refused', status });
  if (observedGeneration < (metadataOf(budget).generation ?? 0)) return refuse(stillProcessed(budget));
  const invalid = (error: string, cause: string): EvictionVerdict => {
    const status = forbidden({ group: 'policy', resource: 'poddisruptionbudget' }, nameOf(budget), error);
    return refuse(minor >= 37 ? withCause(status, budget, cause) : status);
  };
  if (allowed < 0) return invalid(negative, negative);
  const disruptedPods = asObject(valueAt(budget, 'status', 'disruptedPods'));
  if (Object.keys(disruptedPods).length > maxDisruptedPods) return invalid(tooManyUnconfirmed, tooManyPending);
  if (allowed === 0) return refuse(exhaustedBudgetError(budget));
  const at = formatTime(now);
  const status = {
    ...asObject(budget['status']),
    disruptionsAllowed: allowed - 1,
    disruptedPods: Object.fromEntries([...Object.entries(disruptedPods), [metadataOf(pod).name ?? '', at]]),
  };
  const next = {
    ...budget,
    status: allowed === 1 ? { ...status, conditions: exhaustedConditions(budget, at) } : status,
  };
  return { verdict: 'charged', budget, next };
}

/** The conditions of an exhausted budget. */
function exhaustedConditions(budget: KubernetesObject, at: string): readonly JsonValue[] {
  const conditions = asList(valueAt(budget, 'status', 'conditions'));
  const isIt = (condition: JsonValue): boolean => asObject(condition)['type'] === 'DisruptionAllowed';
  const before = asObject(conditions.find(isIt));
  const condition: JsonObject = {
    type: 'DisruptionAllowed',
    status: 'False',
    observedGeneration: countsOf(budget).observedGeneration,
    lastTransitionTime: before['status'] === 'False' ? (before['lastTransitionTime'] ?? at) : at,
    reason: 'InsufficientPods',
    message: '',
  };
  return [...conditions.filter((one) => !isIt(one)), condition];
}

interface Counts {
  readonly allowed: number;
  readonly desiredHealthy: number;
  readonly currentHealthy: number;
  readonly observedGeneration: number;
}

function countsOf(budget: KubernetesObject): Counts {
  const status = asObject(budget['status']);
  const count = (field: string): number => (typeof status[field] === 'number' ? status[field] : 0);
  return {
    allowed: count('disruptionsAllowed'),
    desiredHealthy: count('desiredHealthy'),
    currentHealthy: count('currentHealthy'),
    observedGeneration: count('observedGeneration'),
  };
}

const nameOf = (budget: KubernetesObject): string => metadataOf(budget).name ?? '';

const tooManyUnconfirmed = 'DisruptedPods map too big - too many evictions not confirmed by PDB controller';

const tooManyPending = 'too many pending evictions not confirmed by PDB controller';
const negative = 'pdb disruptions allowed is negative';

function withCause(status: Status, budget: KubernetesObject, why: string): Status {
  const message = `The disruption budget ${nameOf(budget)} does not allow evicting pods currently: ${why}`;
  return { ...status, details: { ...status.details, causes: [{ reason: 'DisruptionBudget', message }] } };
}

/** The budget's controller has not counted yet: retry in 10 seconds. */
export const stillProcessed = (budget: KubernetesObject): Status =>
  budgetViolation(`The disruption budget ${nameOf(budget)} is still being processed by the server.`, 10);

function exhaustedBudgetError(budget: KubernetesObject): Status {
  const { desiredHealthy, currentHealthy } = countsOf(budget);
  return budgetViolation(
    `The disruption budget ${nameOf(budget)} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    0,
  );
}

const budgetViolation = (message: string, retryAfterSeconds: number): Status =>
  failure({
    code: 429,
    reason: 'TooManyRequests',
    message: "Cannot evict pod as it would violate the pod's disruption budget.",
    details: {
      causes: [{ reason: 'DisruptionBudget', message }],
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  });
