import { groupBy } from '../../../machinery/lists.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { byAge, minReadySecondsOf, isDeleted, nameOf, namespaceOf, scaledValue } from '../fields.ts';
import { labelOf } from '../history/revisions.ts';
import { isAvailable, isReady, isTerminal, phaseOf, nodeOfPod } from '../pod-state.ts';
import { nodeShouldRunDaemonPod, revisionHashLabel, isUpdated, targetNode } from './daemon-pod.ts';
import type { DaemonSet, RollingUpdateDaemonSet } from '../../../api/types/generated/apps-v1.ts';
import type { Node, Pod } from '../../../api/types/generated/core-v1.ts';

/** The nodes and daemons of a set in one sync. */
export interface DaemonSetState {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  /** By node. */
  readonly daemons: ReadonlyMap<string, readonly KubernetesObject[]>;
  /** Of the current template. */
  readonly hash: string;
  readonly now: number;
}

/** Terminated daemons that are being deleted do not count. Follows getNodesToDaemonPods. */
export function groupByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly KubernetesObject[]> {
  const counted = pods.filter((pod) => targetNode(pod) !== undefined && !(isTerminal(pod) && isDeleted(pod)));
  return groupBy<string, KubernetesObject>(counted, (pod) => targetNode(pod) ?? '');
}

/** The Pods to create and delete, and the Events to write. */
export interface DaemonPlan {
  readonly create: readonly string[];
  readonly delete: readonly KubernetesObject[];
  /** Failed daemons that are deleted, with their nodes. */
  readonly ended: readonly KubernetesObject[];
}

/** One daemon on every node where it must run. Follows manage and podsShouldBeOnNode of pkg/controller/daemon. */
export function planDaemons(state: DaemonSetState, mayRetry: (node: string) => boolean): DaemonPlan {
  const parts = state.nodes.map((node) => planNode(node, state, mayRetry));
  const known = new Set(state.nodes.map(nameOf));
  const stranded = [...state.daemons]
    .filter(([node]) => !known.has(node))
    .flatMap(([, pods]) => pods.filter((pod: Pod) => nodeOfPod(pod) === ''));
  return {
    create: parts.flatMap(({ create }) => create),
    delete: [...parts.flatMap((part) => part.delete), ...stranded],
    ended: parts.flatMap(({ ended }) => ended),
  };
}

const emptyPlan: DaemonPlan = { create: [], delete: [], ended: [] };

function planNode(node: Node, state: DaemonSetState, mayRetry: (node: string) => boolean): DaemonPlan {
  const { shouldRun, mayStay } = nodeShouldRunDaemonPod(state.set, node);
  const name = nameOf(node);
  const daemons = state.daemons.get(name);
  if (!daemons) return shouldRun ? { ...emptyPlan, create: [name] } : emptyPlan;
  const living = daemons.filter((pod) => !isDeleted(pod));
  if (!mayStay) return { ...emptyPlan, delete: living };
  const ended = living.filter((pod) => phaseOf(pod) === 'Succeeded' || (phaseOf(pod) === 'Failed' && mayRetry(name)));
  const running = living.filter((pod) => !isTerminal(pod)).sort(byPlacement);
  if (daemonMaxSurge(state.set, 1) === 0) return { create: [], delete: [...ended, ...running.slice(1)], ended };
  if (running.length === 0 && shouldRun) return { create: [name], delete: ended, ended };
  return { create: [], delete: [...ended, ...(running.length > 1 ? excessDaemons(running, state) : [])], ended };
}

/** A surge update allows one of the new template beside an old one. */
function excessDaemons(
  running: readonly KubernetesObject[],
  { set, hash, now }: DaemonSetState,
): readonly KubernetesObject[] {
  const isNew = (pod: Pod): boolean => labelOf(pod, revisionHashLabel) === hash;
  const young = running.find(isNew);
  const old = running.find((pod) => !isNew(pod));
  const others = running.filter((pod) => pod !== young && pod !== old);
  const isOver = young && old && (!isReady(old) || isAvailable(young, minReadySecondsOf(set), now));
  return isOver ? [...others, old] : others;
}

/** Bound ones first, then the oldest. Follows podByCreationTimestampAndPhase. */
export function byPlacement(a: KubernetesObject, b: KubernetesObject): number {
  const unbound = (pod: Pod): number => (nodeOfPod(pod) === '' ? 1 : 0);
  return unbound(a) - unbound(b) || byAge(a, b);
}

const rollingCount = (set: DaemonSet, field: keyof RollingUpdateDaemonSet, desired: number): number =>
  set.spec?.updateStrategy?.type === 'RollingUpdate'
    ? scaledValue(set.spec.updateStrategy.rollingUpdate?.[field], desired, Math.ceil)
    : 0;

export const daemonMaxSurge = (set: DaemonSet, desired: number): number => rollingCount(set, 'maxSurge', desired);

/** maxUnavailable; 1 when maxUnavailable and maxSurge are both 0. */
export function daemonMaxUnavailable(set: DaemonSet, desired: number): number {
  const unavailable = rollingCount(set, 'maxUnavailable', desired);
  return desired > 0 && unavailable === 0 && daemonMaxSurge(set, desired) === 0 ? 1 : unavailable;
}

/** The Event of a terminated daemon before its deletion. */
export function terminatedDaemonEvent(
  pod: Pod,
): readonly [type: 'Normal' | 'Warning', reason: string, message: string] {
  const what = `daemon pod ${namespaceOf(pod)}/${nameOf(pod)} on node ${targetNode(pod) ?? ''}`;
  return phaseOf(pod) === 'Failed'
    ? ['Warning', 'FailedDaemonPod', `Found failed ${what}, will try to kill it`]
    : ['Normal', 'SucceededDaemonPod', `Found succeeded ${what}, will try to delete it`];
}

/** The old and the new daemon of a node; undefined when there are two of a kind. */
export function findDaemonPair(
  { set, hash }: DaemonSetState,
  pods: readonly Pod[],
): { readonly young: KubernetesObject | undefined; readonly old: KubernetesObject | undefined } | undefined {
  const living = pods.filter((pod) => !isDeleted(pod));
  const [young, ...moreYoung] = living.filter((pod) => isUpdated(set, pod, hash));
  const [old, ...moreOld] = living.filter((pod) => !isUpdated(set, pod, hash));
  return moreYoung.length + moreOld.length > 0 ? undefined : { young, old };
}
