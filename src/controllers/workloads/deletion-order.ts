import { asList } from '../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf } from '../../machinery/meta/object.ts';
import { intOrZero, uidOf } from './fields.ts';
import { isActivePod, isReady, millisecondsOf, phaseOf, readySince, nodeOfPod } from './pod-state.ts';
import type { Pod } from '../../api/types/generated/core-v1.ts';

const phases = ['Pending', 'Unknown', 'Running'];
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * Pods in the order of deletion: unbound, pending, not ready, cheap, crowded and young ones first. Follows
 * pkg/controller/controller_utils.go ActivePodsWithRanks. `related`: all pods of the same owner.
 */
export function sortForDeletion(
  pods: readonly Pod[],
  related: readonly KubernetesObject[],
  now: number,
): readonly KubernetesObject[] {
  const podCounts = new Map<unknown, number>();
  for (const pod of related.filter(isActivePod)) {
    const node = nodeOfPod(pod);
    podCounts.set(node, (podCounts.get(node) ?? 0) + 1);
  }
  const keyed = pods.map((pod) => ({ pod, key: deletionRank(pod, podCounts.get(nodeOfPod(pod)) ?? 0, now) }));
  return keyed
    .sort((a, b) => compareKeys(a.key, b.key) || (uidOf(a.pod) < uidOf(b.pod) ? -1 : 1))
    .map(({ pod }) => pod);
}

/** Smaller values first. */
const deletionRank = (pod: Pod, podCounts: number, now: number): readonly number[] => [
  nodeOfPod(pod) === '' ? 0 : 1,
  phases.indexOf(phaseOf(pod)),
  isReady(pod) ? 1 : 0,
  deletionCostOf(pod),
  -podCounts,
  rankOfAge(readySince(pod), now),
  -Math.max(0, ...asList(pod.status?.containerStatuses).map((one) => intOrZero(one.restartCount))),
  rankOfAge(millisecondsOf(metadataOf(pod).creationTimestamp ?? ''), now),
];

function deletionCostOf(pod: Pod): number {
  const text = metadataOf(pod).annotations?.[deletionCost] ?? '';
  return /^(0|-?[1-9]\d{0,9})$/.test(text) ? Number(text) : 0;
}

/** Ages within a factor of two are equal. Follows logarithmicRankDiff. */
const rankOfAge = (since: number | undefined, now: number): number =>
  since === undefined ? 0 : Math.floor(Math.log2(Math.max(1, (now - since) * 1e6)));

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
