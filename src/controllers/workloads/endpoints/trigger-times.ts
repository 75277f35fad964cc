import { metadataOf, type KubernetesObject, type StringMap } from '../../../machinery/meta/object.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import { conditionsOf, findCondition, nameOf } from '../fields.ts';
import { asString } from '../../../machinery/json/json.ts';
import { millisecondsOf } from '../pod-state.ts';
import type { Pod, Service } from '../../../api/types/generated/core-v1.ts';

/** The cause of the current change: `endpoints.kubernetes.io/last-change-trigger-time`. */
export interface TriggerTimes {
  /** RFC 3339; undefined without a cause since the last sync. */
  readonly next: (key: string, service: Service, pods: readonly Pod[]) => string | undefined;
  readonly forget: (key: string) => void;
}

const triggerAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

export function withTriggerAnnotation(object: KubernetesObject, time: string | undefined): StringMap {
  const { [triggerAnnotation]: _before, ...others } = metadataOf(object).annotations ?? {};
  return time === undefined ? others : { ...others, [triggerAnnotation]: time };
}

/** Follows k8s.io/endpointslice util/trigger_time_tracker.go. */
export function createTriggerTimes(): TriggerTimes {
  const known = new Map<string, ReadonlyMap<string, number>>();
  return {
    forget: (key) => known.delete(key),
    next: (key, service, pods) => {
      const before = known.get(key);
      const created = millisecondsOf(metadataOf(service).creationTimestamp ?? '') ?? 0;
      const times = new Map([['', created], ...pods.map((pod) => [`/${nameOf(pod)}`, readyTime(pod)] as const)]);
      known.set(key, times);
      const changed = [...times].filter(([name, time]) => time > (before?.get(name) ?? 0)).map(([, time]) => time);
      return changed.length === 0 ? undefined : formatTime(Math.min(...changed));
    },
  };
}

const readyTime = (pod: Pod): number =>
  millisecondsOf(asString(findCondition(conditionsOf(pod), 'Ready')?.lastTransitionTime)) ?? 0;
