import { goSelector } from '../../machinery/selectors/label-selector.ts';
import { asObject, asString } from '../../machinery/json/json.ts';
import {
  type KubernetesObject,
  metadataOf,
  type OwnerReference,
  ownValue,
  type StringMap,
} from '../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { plainError } from '../../machinery/meta/status.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { controllerUser } from '../client.ts';
import { type Controller, type ControllerStore, followResource } from '../controller.ts';
import { combineProgress } from '../work-queue.ts';
import { updateStatus, ignoreNotFound } from '../write-object.ts';
import {
  conditionsOf,
  findCondition,
  withoutCondition,
  compactStatus,
  generationOf,
  nameOf,
  namespaceOf,
  replicasOf,
  scaledValue,
  isDeleted,
} from './fields.ts';
import { createEventRecorder } from './event-recorder.ts';
import { toObjectName, syncObjects } from './follow-pods.ts';
import { controllerOf } from './ownership.ts';
import { pods } from './pod-control.ts';
import { isReady, millisecondsOf } from './pod-state.ts';
import { selectorOf } from './replica-kinds.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../api/types/generated/policy-v1.ts';
import type { Pod } from '../../api/types/generated/core-v1.ts';
import type * as metaV1 from '../../api/types/generated/meta-v1.ts';

const budgets = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
/** How long an evicted Pod counts as disrupted. */
const evictionTime = 120_000;

/** Maintains the status of PodDisruptionBudgets. Follows pkg/controller/disruption/disruption.go. */
export const disruptionController: Controller = (context) => {
  const { store, clock } = context;
  const client = context.clientFor(controllerUser('disruption-controller'));
  const recorder = createEventRecorder('controllermanager', client, context);
  const queue = syncObjects(context, budgets, async (budget: PodDisruptionBudget, key) => {
    const selector = selectorOf(budget);
    if (!selector) return ok(undefined);
    const selected = store.list(pods, key.namespace).filter((pod) => selector.matches(metadataOf(pod).labels ?? {}));
    if (selected.length === 0) recorder.event(budget, 'Normal', 'NoPods', 'No matching pods found');
    const expected = expectedPods(budget, selected, store);
    if (!expected.ok) {
      const message = `Failed to calculate the number of expected pods: ${expected.status.message ?? ''}`;
      recorder.event(budget, 'Warning', 'CalculateExpectedPodCountFailed', message);
      return expected;
    }
    if (expected.value.hasUnmanaged) recorder.event(budget, 'Warning', 'UnmanagedPods', unmanagedText(budget));
    const now = clock.now();
    const disrupted = disruptedPods(budget, selected, now);
    const waits = Object.values(disrupted).map((time) => (millisecondsOf(asString(time)) ?? now) + evictionTime - now);
    if (waits.length > 0) queue.addAfter(key, Math.max(0, ...waits) + 1);
    const status = budgetStatus(budget, { ...expected.value, chosen: selected, disrupted, now });
    return ignoreNotFound(await updateStatus(client, budgets, budget, status));
  });
  followResource(context, pods, (change) => {
    const { namespace = '' } = metadataOf(change.object);
    const versions = change.type === 'updated' ? [change.object, change.previous] : [change.object];
    for (const budget of store.list(budgets, namespace)) {
      const selector = selectorOf(budget);
      if (versions.some((pod) => selector?.matches(metadataOf(pod).labels ?? {}))) queue.add(toObjectName(budget));
    }
  });
  return combineProgress([queue.progress, recorder.progress]);
};

interface ExpectedPods {
  readonly count: number;
  readonly healthy: number;
  /** The number depends on controllers, and some Pods have none. */
  readonly hasUnmanaged: boolean;
}

const unmanagedText = (budget: PodDisruptionBudget): string =>
  `Pods selected by this PodDisruptionBudget (selector: ${goSelector(asObject(budget.spec?.selector))}) were found ` +
  'to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. ' +
  'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';

/** The expected Pods, and how many of them must be healthy. Follows getExpectedPodCount. */
function expectedPods(
  budget: PodDisruptionBudget,
  chosen: readonly KubernetesObject[],
  store: ControllerStore,
): Result<ExpectedPods> {
  const { maxUnavailable, minAvailable } = asObject(budget.spec);
  if (maxUnavailable === undefined && typeof minAvailable === 'number') {
    return ok({ count: chosen.length, healthy: minAvailable, hasUnmanaged: false });
  }
  const hasUnmanaged = chosen.some((pod) => !controllerOf(pod));
  const scale = sumScale(chosen, store);
  if (!scale.ok) return scale;
  const count = scale.value;
  if (maxUnavailable === undefined)
    return ok({ count, healthy: scaledValue(minAvailable, count, Math.ceil), hasUnmanaged });
  const healthy = Math.max(0, count - scaledValue(maxUnavailable, count, Math.ceil));
  return ok({ count, healthy, hasUnmanaged });
}

/** The total replicas of the Pods' controllers; Pods without one do not count. */
function sumScale(chosen: readonly KubernetesObject[], store: ControllerStore): Result<number> {
  const scales = new Map<string, number>();
  for (const pod of chosen) {
    const owner = controllerOf(pod);
    if (!owner) continue;
    const scaled = findScaleController(owner, namespaceOf(pod), store);
    if (!scaled) return refuse(plainError(`found no controllers for pod "${nameOf(pod)}"`));
    scales.set(metadataOf(scaled).uid ?? '', replicasOf(scaled));
  }
  return ok([...scales.values()].reduce((sum, replicas) => sum + replicas, 0));
}

const scaleResources: Readonly<Record<string, { readonly group: string; readonly resource: string }>> = {
  ReplicaSet: { group: 'apps', resource: 'replicasets' },
  StatefulSet: { group: 'apps', resource: 'statefulsets' },
  Deployment: { group: 'apps', resource: 'deployments' },
  ReplicationController: { group: '', resource: 'replicationcontrollers' },
};

/** The top controller: the Deployment of a ReplicaSet that has one. */
function findScaleController(
  { kind, name, uid }: OwnerReference,
  namespace: string,
  store: ControllerStore,
): KubernetesObject | undefined {
  const resource = ownValue(scaleResources, kind);
  const owner = resource && store.get(resource, namespace, name);
  if (!owner || metadataOf(owner).uid !== uid) return undefined;
  const above = kind === 'ReplicaSet' ? controllerOf(owner) : undefined;
  return above?.kind === 'Deployment' ? findScaleController(above, namespace, store) : owner;
}

/** Evicted Pods that still count as disrupted. Follows buildDisruptedPodMap. */
function disruptedPods(budget: PodDisruptionBudget, chosen: readonly KubernetesObject[], now: number): StringMap {
  const known = asObject(budget.status?.disruptedPods);
  const left = chosen
    .filter((pod) => !isDeleted(pod))
    .map((pod) => [nameOf(pod), asString(known[nameOf(pod)])] as const)
    .filter(([, since]) => since !== '' && (millisecondsOf(since) ?? 0) + evictionTime >= now);
  return Object.fromEntries(left);
}

interface BudgetCounts extends Omit<ExpectedPods, 'hasUnmanaged'> {
  readonly chosen: readonly KubernetesObject[];
  readonly disrupted: StringMap;
  readonly now: number;
}

function budgetStatus(
  budget: PodDisruptionBudget,
  { count, healthy, chosen, disrupted, now }: BudgetCounts,
): PodDisruptionBudgetStatus {
  const isHealthy = (pod: Pod): boolean => !isDeleted(pod) && disrupted[nameOf(pod)] === undefined && isReady(pod);
  const currentHealthy = chosen.filter(isHealthy).length;
  const disruptionsAllowed = count <= 0 ? 0 : Math.max(0, currentHealthy - healthy);
  return compactStatus<PodDisruptionBudgetStatus>(
    {
      observedGeneration: generationOf(budget),
      ...(Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted }),
      disruptionsAllowed,
      currentHealthy,
      desiredHealthy: healthy,
      expectedPods: count,
      conditions: allowedCondition(budget, disruptionsAllowed > 0, now),
    },
    ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'],
  );
}

function allowedCondition(budget: PodDisruptionBudget, isAllowed: boolean, now: number): readonly metaV1.Condition[] {
  const conditions = conditionsOf(budget);
  const before = findCondition(conditions, 'DisruptionAllowed');
  const status = isAllowed ? 'True' : 'False';
  const condition = {
    type: 'DisruptionAllowed',
    status,
    observedGeneration: generationOf(budget),
    lastTransitionTime: before?.status === status ? asString(before.lastTransitionTime) : formatTime(now),
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
  };
  return [...withoutCondition(conditions, 'DisruptionAllowed'), condition];
}
