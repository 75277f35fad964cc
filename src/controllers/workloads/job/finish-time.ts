import { asList, asObject, asString, valueAt } from '../../../apimachinery/json.ts';
import type { JsonObject } from '../../../apimachinery/json.ts';
import { metadataOf } from '../../../apimachinery/object.ts';
import type { KubernetesObject } from '../../../apimachinery/object.ts';
import { conditionsOf, findCondition } from '../conditions.ts';
import { millisecondsOf } from '../pod-state.ts';

/** When a Pod ended, in milliseconds since 1970, as well as it says. Follows pkg/controller/job/backoff_utils.go getFinishedTime. */
export function finishTime(pod: KubernetesObject): number {
  const { creationTimestamp = '' } = metadataOf(pod);
  return ofContainers(pod) ?? ofReadiness(pod) ?? ofDeletion(pod) ?? millisecondsOf(creationTimestamp) ?? 0;
}

/** The last of the containers, if all have ended. */
function ofContainers(pod: KubernetesObject): number | undefined {
  const times = asList(valueAt(pod, 'status', 'containerStatuses'))
    .map(asObject)
    .map(endOf);
  const ended = times.filter((time) => time !== undefined);
  return times.length > 0 && ended.length === times.length ? Math.max(...ended) : undefined;
}

const endOf = (status: JsonObject): number | undefined =>
  millisecondsOf(asString(valueAt(status, 'state', 'terminated', 'finishedAt')));

function ofReadiness(pod: KubernetesObject): number | undefined {
  const ready = findCondition(conditionsOf(pod), 'Ready');
  return ready?.['status'] === 'False' ? millisecondsOf(asString(ready['lastTransitionTime'])) : undefined;
}

function ofDeletion(pod: KubernetesObject): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadataOf(pod);
  const time = deletionTimestamp === undefined ? undefined : millisecondsOf(deletionTimestamp);
  return time === undefined ? undefined : time - deletionGracePeriodSeconds * 1000;
}
