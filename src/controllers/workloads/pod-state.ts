import { asString } from '../../machinery/json/json.ts';
import { parseTime } from '../../machinery/meta/time.ts';
import { conditionsOf, findCondition, isDeleted } from './fields.ts';
import type { Pod, PodCondition } from '../../api/types/generated/core-v1.ts';

export const phaseOf = (pod: Pod): string => asString(pod.status?.phase);

/** '' while it is not bound. */
export const nodeOfPod = (pod: Pod): string => asString(pod.spec?.nodeName);

export const isTerminal = (pod: Pod): boolean => ['Succeeded', 'Failed'].includes(phaseOf(pod));

/** Neither terminated nor deleted. Follows pkg/controller/controller_utils.go IsPodActive. */
export const isActivePod = (pod: Pod): boolean => !isTerminal(pod) && !isDeleted(pod);

/** Deleted, not terminated. */
export const isTerminating = (pod: Pod): boolean => !isTerminal(pod) && isDeleted(pod);

const readyCondition = (pod: Pod): PodCondition | undefined => findCondition(conditionsOf(pod), 'Ready');

export const isReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';

/** In milliseconds since 1970; undefined when it is not ready. */
export const readySince = (pod: Pod): number | undefined =>
  isReady(pod) ? millisecondsOf(asString(readyCondition(pod)?.lastTransitionTime)) : undefined;

/** In milliseconds since 1970. */
export function millisecondsOf(text: string): number | undefined {
  const reading = parseTime(text);
  return reading.outcome === 'parsed' ? reading.moment.seconds * 1000 : undefined;
}

/** Ready for minReadySeconds. Follows pkg/api/v1/pod/util.go IsPodAvailable. */
export function isAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  if (!isReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}

/** Milliseconds until the next of these pods becomes available; undefined for none. */
export function nextAvailability(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  const waits = pods
    .filter((pod) => !isAvailable(pod, minReadySeconds, now))
    .map(readySince)
    .filter((since) => since !== undefined)
    .map((since) => since + minReadySeconds * 1000 - now);
  return waits.length === 0 ? undefined : Math.max(0, Math.min(...waits));
}
