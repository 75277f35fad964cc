import { compactStatus, generationOf, minReadyOf, nameOf, optionalInt } from '../fields.ts';
import { conditionsOf } from '../conditions.ts';
import { isAvailable, isReady } from '../pod-state.ts';
import { fitOf, isUpdated } from './daemon-pod.ts';
import { byPlacement } from './plan.ts';
import type { Sight } from './plan.ts';
import type { DaemonSetStatus } from '../../../api/types/generated/apps-v1.ts';

/** Follows updateDaemonSetStatus of pkg/controller/daemon/daemon_controller.go. */
export function daemonStatus({ set, nodes, daemons, hash, now }: Sight): DaemonSetStatus {
  const places = nodes.map((node) => ({
    isWanted: fitOf(set, node).shouldRun,
    daemon: [...(daemons.get(nameOf(node)) ?? [])].sort(byPlacement)[0],
  }));
  const wanted = places.filter(({ isWanted }) => isWanted);
  const scheduled = wanted.map(({ daemon }) => daemon).filter((daemon) => daemon !== undefined);
  const ready = scheduled.filter(isReady);
  const available = ready.filter((pod) => isAvailable(pod, minReadyOf(set), now)).length;
  return compactStatus<DaemonSetStatus>(
    {
      currentNumberScheduled: scheduled.length,
      numberMisscheduled: places.filter(({ isWanted, daemon }) => !isWanted && daemon).length,
      desiredNumberScheduled: wanted.length,
      numberReady: ready.length,
      observedGeneration: generationOf(set),
      updatedNumberScheduled: scheduled.filter((pod) => isUpdated(set, pod, hash)).length,
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
      collisionCount: optionalInt(set.status?.collisionCount),
      conditions: conditionsOf(set),
    },
    ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady', 'collisionCount'],
  );
}
