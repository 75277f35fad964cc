import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { intOrZero, isDeleted, minReadySecondsOf, replicasOf } from '../fields.ts';
import { labelOf } from '../history/revisions.ts';
import { isAvailable, isReady, isTerminal, phaseOf } from '../pod-state.ts';
import {
  type TemplateRevision,
  templateRevisionFor,
  isInRange,
  isParallel,
  newStatefulPod,
  ordinalOf,
  revisionLabel,
  startOrdinal,
} from './stateful-pod.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';
import type { StatefulSet } from '../../../api/types/generated/apps-v1.ts';

/** The action for one Pod of a set. */
export type StatefulSetStep =
  | { readonly act: 'create' | 'delete'; readonly pod: Pod }
  /** Create its missing claims. */
  | { readonly act: 'claim'; readonly pod: Pod }
  /** Set the labels, volumes and claim owners of its ordinal where they are missing. */
  | { readonly act: 'conform'; readonly pod: Pod }
  | { readonly act: 'claim-owners'; readonly pod: Pod };

export interface RevisionPair {
  readonly current: TemplateRevision;
  readonly update: TemplateRevision;
}

export interface StatefulSetPlan {
  readonly steps: readonly StatefulSetStep[];
  /** Pods that go because of an update. */
  readonly outdated: number;
}

interface StatefulSetState {
  readonly set: StatefulSet;
  readonly replicas: readonly KubernetesObject[];
  /** Highest ordinal first. */
  readonly condemned: readonly KubernetesObject[];
  readonly now: number;
}

/**
 * The next actions of the set: in order and one at a time, unless it is managed in parallel; creates before deletes
 * before updates. Follows pkg/controller/statefulset/stateful_set_control.go updateStatefulSet.
 */
export function planSet(
  set: StatefulSet,
  pods: readonly Pod[],
  revisionPair: RevisionPair,
  now: number,
): StatefulSetPlan {
  if (isDeleted(set)) return { steps: [], outdated: 0 };
  const state = createState(set, pods, revisionPair, now);
  const steps: StatefulSetStep[] = [];
  for (const phase of [processReplicas, processClaims, processCondemned]) {
    const { done, steps: more } = phase(state);
    steps.push(...more);
    if (done) return { steps, outdated: 0 };
  }
  const outdated = firstOutdated(state, revisionPair.update.revision);
  return outdated ? { steps: [...steps, { act: 'delete', pod: outdated }], outdated: 1 } : { steps, outdated: 0 };
}

function createState(
  set: StatefulSet,
  pods: readonly Pod[],
  revisionPair: RevisionPair,
  now: number,
): StatefulSetState {
  const placed = new Map(pods.map((pod) => [ordinalOf(pod), pod]));
  const replicas = Array.from({ length: replicasOf(set) }, (_, index) => {
    const ordinal = startOrdinal(set) + index;
    return placed.get(ordinal) ?? newStatefulPod(set, ordinal, templateRevisionFor(set, ordinal, revisionPair));
  });
  const isCondemned = (pod: Pod): boolean => ordinalOf(pod) >= 0 && !isInRange(set, ordinalOf(pod));
  const condemned = pods.filter(isCondemned).sort((a, b) => ordinalOf(b) - ordinalOf(a));
  return { set, replicas, condemned, now };
}

interface PhasePlan {
  readonly steps: readonly StatefulSetStep[];
  /** The sync ends here. */
  readonly done: boolean;
}

/** Follows processReplica. */
function processReplicas(state: StatefulSetState): PhasePlan {
  const steps: StatefulSetStep[] = [];
  for (const pod of state.replicas) {
    const part = processReplica(pod, state);
    steps.push(...part.steps);
    if (part.done && !isParallel(state.set)) return { steps, done: true };
  }
  return { steps, done: false };
}

function processReplica(pod: Pod, { set, now }: StatefulSetState): PhasePlan {
  if (isTerminal(pod)) return { steps: isDeleted(pod) ? [] : [{ act: 'delete', pod }], done: true };
  if (!isCreated(pod)) return { steps: [{ act: 'create', pod }], done: true };
  const steps: StatefulSetStep[] = phaseOf(pod) === 'Pending' ? [{ act: 'claim', pod }] : [];
  const isBlocking = isDeleted(pod) || !isRunningReady(pod) || !isAvailable(pod, minReadySecondsOf(set), now);
  if (isBlocking && !isParallel(set)) return { steps, done: true };
  return { steps: [...steps, { act: 'conform', pod }], done: false };
}

const processClaims = ({ condemned }: StatefulSetState): PhasePlan => ({
  steps: condemned.map((pod) => ({ act: 'claim-owners', pod })),
  done: false,
});

/** Follows processCondemned. */
function processCondemned(state: StatefulSetState): PhasePlan {
  const { set, condemned } = state;
  const living = condemned.filter((pod) => !isDeleted(pod));
  if (isParallel(set)) return { steps: living.map((pod) => ({ act: 'delete', pod })), done: false };
  const [next] = condemned;
  if (!next) return { steps: [], done: false };
  const unavailable = (pod: Pod): boolean => isUnavailable(pod, state);
  const first = state.replicas.find(unavailable) ?? condemned.toReversed().find(unavailable);
  const isBlocked = isDeleted(next) || (!isHealthy(next, state) && next !== first);
  return { steps: isBlocked ? [] : [{ act: 'delete', pod: next }], done: true };
}

/** The Pod to delete next for an update: the highest one of another revision, once those above it are available. */
function firstOutdated(state: StatefulSetState, revision: string): KubernetesObject | undefined {
  const { set, replicas } = state;
  if (set.spec?.updateStrategy?.type === 'OnDelete') return undefined;
  const partition = intOrZero(set.spec?.updateStrategy?.rollingUpdate?.partition);
  for (const pod of replicas.slice(partition).toReversed()) {
    if (labelOf(pod, revisionLabel) !== revision && !isDeleted(pod)) return pod;
    if (isUnavailable(pod, state)) return undefined;
  }
  return undefined;
}

/** The Pod exists on the server. */
export const isCreated = (pod: Pod): boolean => phaseOf(pod) !== '';

export const isRunningReady = (pod: Pod): boolean => phaseOf(pod) === 'Running' && isReady(pod);

const isHealthy = (pod: Pod, { set, now }: StatefulSetState): boolean =>
  isRunningReady(pod) && isAvailable(pod, minReadySecondsOf(set), now);

const isUnavailable = (pod: Pod, { set, now }: StatefulSetState): boolean =>
  !isAvailable(pod, minReadySecondsOf(set), now) || isDeleted(pod);
