import type { JsonObject } from '../../../apimachinery/json.ts';
import { compactStatus, generationOf, intAt, nameOf, optionalInt, statusOf } from '../fields.ts';
import { conditionsOf } from '../conditions.ts';
import { isAvailable, isReady } from '../pod-state.ts';
import { fitOf, isUpdated } from './daemon-pod.ts';
import { byPlacement } from './plan.ts';
import type { Sight } from './plan.ts';

/** Follows updateDaemonSetStatus of pkg/controller/daemon/daemon_controller.go. */
export function daemonStatus({ set, nodes, daemons, hash, now }: Sight): JsonObject {
  const places = nodes.map((node) => ({
    isWanted: fitOf(set, node).shouldRun,
    daemon: [...(daemons.get(nameOf(node)) ?? [])].sort(byPlacement)[0],
  }));
  const wanted = places.filter(({ isWanted }) => isWanted);
  const scheduled = wanted.map(({ daemon }) => daemon).filter((daemon) => daemon !== undefined);
  const ready = scheduled.filter(isReady);
  const available = ready.filter((pod) => isAvailable(pod, intAt(set, 'spec', 'minReadySeconds'), now)).length;
  return compactStatus(
    {
      currentNumberScheduled: scheduled.length,
      numberMisscheduled: places.filter(({ isWanted, daemon }) => !isWanted && daemon).length,
      desiredNumberScheduled: wanted.length,
      numberReady: ready.length,
      observedGeneration: generationOf(set),
      updatedNumberScheduled: scheduled.filter((pod) => isUpdated(set, pod, hash)).length,
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
      collisionCount: optionalInt(statusOf(set), 'collisionCount'),
      conditions: conditionsOf(set),
    },
    ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady', 'collisionCount'],
  );
}
