import { asString, valueAt } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
import { parseTime } from '../../apimachinery/time.ts';
import { conditionsOf, findCondition } from './conditions.ts';
import { isDeleted } from './fields.ts';

export const phaseOf = (pod: KubernetesObject): string => asString(valueAt(pod, 'status', 'phase'));

export const isTerminal = (pod: KubernetesObject): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));

/** It runs or will run. Follows pkg/controller/controller_utils.go IsPodActive. */
export const isActivePod = (pod: KubernetesObject): boolean => !isTerminal(pod) && !isDeleted(pod);

/** It is being deleted and has not ended yet. */
export const isTerminating = (pod: KubernetesObject): boolean => !isTerminal(pod) && isDeleted(pod);

const readyCondition = (pod: KubernetesObject): ReturnType<typeof findCondition> =>
  findCondition(conditionsOf(pod), 'Ready');

export const isReady = (pod: KubernetesObject): boolean => readyCondition(pod)?.['status'] === 'True';

/** Since when the pod is ready, in milliseconds since 1970; undefined when nobody said. */
export const readySince = (pod: KubernetesObject): number | undefined =>
  isReady(pod) ? millisecondsOf(asString(readyCondition(pod)?.['lastTransitionTime'])) : undefined;

/** A time of an object in milliseconds since 1970. */
export function millisecondsOf(text: string): number | undefined {
  const reading = parseTime(text);
  return reading.outcome === 'parsed' ? reading.moment.seconds * 1000 : undefined;
}

/** Ready for long enough. Follows pkg/api/v1/pod/util.go IsPodAvailable. */
export function isAvailable(pod: KubernetesObject, minReadySeconds: number, now: number): boolean {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}

/** Milliseconds until the next of these pods has been ready for long enough; undefined when there is none. */
export function nextAvailability(
  pods: readonly KubernetesObject[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  const waits = pods
    .filter((pod) => !isAvailable(pod, minReadySeconds, now))
    .map(readySince)
    .filter((since) => since !== undefined)
    .map((since) => since + minReadySeconds * 1000 - now);
  return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits));
}
