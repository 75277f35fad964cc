import { asList, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { conditionsOf, findCondition } from '../conditions.ts';
import { millisecondsOf } from '../pod-state.ts';
import type { ContainerStatus, Pod } from '../../../api/types/generated/core-v1.ts';

/** In milliseconds since 1970. Follows pkg/controller/job/backoff_utils.go getFinishedTime. */
export function finishTime(pod: Pod): number {
  const { creationTimestamp = '' } = metadataOf(pod);
  return ofContainers(pod) ?? ofReadiness(pod) ?? ofDeletion(pod) ?? millisecondsOf(creationTimestamp) ?? 0;
}

/** Of the last container, if all have terminated. */
function ofContainers(pod: Pod): number | undefined {
  const times = asList(pod.status?.containerStatuses).map(endOf);
  const ended = times.filter((time) => time !== undefined);
  return times.length > 0 && ended.length === times.length ? Math.max(...ended) : undefined;
}

const endOf = (status: ContainerStatus): number | undefined =>
  millisecondsOf(asString(status.state?.terminated?.finishedAt));

function ofReadiness(pod: Pod): number | undefined {
  const ready = findCondition(conditionsOf(pod), 'Ready');
  return ready?.status === 'False' ? millisecondsOf(asString(ready.lastTransitionTime)) : undefined;
}

function ofDeletion(pod: Pod): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(pod);
  const time = deletionTimestamp === undefined ? undefined : millisecondsOf(deletionTimestamp);
  return time === undefined ? undefined : time - deletionGracePeriodSeconds * 1000;
}
