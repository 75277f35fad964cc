import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { minReadySecondsOf, nameOf } from '../fields.ts';
import { isAvailable } from '../pod-state.ts';
import { nodeShouldRunDaemonPod } from './daemon-pod.ts';
import { daemonMaxSurge, daemonMaxUnavailable, findDaemonPair, type DaemonSetState } from './plan.ts';
import type { Pod } from '../../../api/types/generated/core-v1.ts';

interface DaemonUpdate {
  readonly create: readonly string[];
  readonly delete: readonly KubernetesObject[];
}

/** The old daemons to replace now. Follows pkg/controller/daemon/update.go rollingUpdate. */
export function planUpdate(state: DaemonSetState): DaemonUpdate {
  const { set, nodes, daemons } = state;
  const desired = nodes.filter((node) => nodeShouldRunDaemonPod(set, node).shouldRun).map(nameOf);
  const places = [...new Set([...daemons.keys(), ...desired])].map((node) => ({ node, pods: daemons.get(node) ?? [] }));
  const surge = daemonMaxSurge(set, desired.length);
  return surge === 0
    ? { create: [], delete: daemonsToReplace(state, places, daemonMaxUnavailable(set, desired.length)) }
    : planSurge(state, places, { surge, desired });
}

interface NodePods {
  readonly node: string;
  readonly pods: readonly Pod[];
}

/** Deletes old daemons before creating new ones: unavailable ones at once, others up to maxUnavailable. */
function daemonsToReplace(
  state: DaemonSetState,
  places: readonly NodePods[],
  max: number,
): readonly KubernetesObject[] {
  const isAvailablePod = createAvailabilityCheck(state);
  const unavailable: KubernetesObject[] = [];
  const candidates: KubernetesObject[] = [];
  let missing = 0;
  for (const { pods } of places) {
    const pair = findDaemonPair(state, pods);
    if (!pair || (pair.young === undefined) === (pair.old === undefined)) missing += 1;
    else if (pair.young) missing += isAvailablePod(pair.young) ? 0 : 1;
    else if (pair.old && !isAvailablePod(pair.old)) {
      unavailable.push(pair.old);
      missing += 1;
    } else if (pair.old && missing < max) candidates.push(pair.old);
  }
  return [...unavailable, ...candidates.slice(0, Math.max(0, max - missing))];
}

interface SurgeOptions {
  readonly surge: number;
  /** The nodes that need a daemon. */
  readonly desired: readonly string[];
}

/** Creates new daemons beside old ones, and deletes those when the new ones are available. */
function planSurge(state: DaemonSetState, places: readonly NodePods[], { surge, desired }: SurgeOptions): DaemonUpdate {
  const isUp = createAvailabilityCheck(state);
  const pairs = places.map(({ node, pods }) => ({ node, pair: findDaemonPair(state, pods) }));
  const known = pairs.flatMap(({ node, pair }) => (pair ? [{ node, ...pair }] : []));
  const available = known.filter(({ young, old }) => [old ?? young].some((one) => one && isUp(one))).length;
  const both = known.flatMap(({ young, old }) => (young && old ? [{ young, old }] : []));
  const surged = pairs.length - known.length + both.filter(({ young }) => !isUp(young)).length;
  const alone = known.flatMap(({ node, young, old }) => (old && !young ? [{ node, old }] : []));
  const staying = alone.filter(({ node }) => desired.includes(node));
  const leaving = alone.filter(({ node }) => !desired.includes(node)).map(({ old }) => old);
  const broken = staying.filter(({ old }) => !isUp(old));
  const candidates = surged < surge ? staying.filter(({ old }) => isUp(old)) : [];
  return {
    create: [...broken, ...candidates.slice(0, Math.max(0, surge - surged))].map(({ node }) => node),
    delete: [
      ...both.filter(({ young }) => isUp(young)).map(({ old }) => old),
      ...leaving.filter((old) => !isUp(old)),
      ...leaving.filter(isUp).slice(0, Math.max(0, available - desired.length)),
    ],
  };
}

const createAvailabilityCheck =
  ({ set, now }: DaemonSetState) =>
  (pod: Pod): boolean =>
    isAvailable(pod, minReadySecondsOf(set), now);
