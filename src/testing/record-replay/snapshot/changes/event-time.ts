import { asList, asObject, asString, valueAt } from '../../../../machinery/json/json.ts';
import type { KubernetesObject } from '../../../../machinery/meta/object.ts';

const places: readonly (readonly string[])[] = [
  ['metadata', 'creationTimestamp'],
  ['spec', 'renewTime'],
  ['status', 'startTime'],
  ['lastTimestamp'],
  ['eventTime'],
];

/**
 * The newest time in an object: events of a watch have none. Milliseconds since 1970; undefined without a time. managedFields are the most
 * precise; kubectl shows them with --show-managed-fields only.
 */
export function lastWritten(object: KubernetesObject): number | undefined {
  const managers = asList(valueAt(object, 'metadata', 'managedFields')).map((one) => asObject(one)['time']);
  const conditions = asList(valueAt(object, 'status', 'conditions'))
    .map(asObject)
    .flatMap(({ lastTransitionTime, lastUpdateTime, lastHeartbeatTime }) => [
      lastTransitionTime,
      lastUpdateTime,
      lastHeartbeatTime,
    ]);
  const all = [...places.map((path) => valueAt(object, ...path)), ...managers, ...conditions];
  const times = [...all.map((time) => Date.parse(asString(time))), deletionAsked(object)].filter(
    (time) => !Number.isNaN(time),
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

/** deletionTimestamp includes the grace period. */
const deletionAsked = (object: KubernetesObject): number =>
  Date.parse(asString(valueAt(object, 'metadata', 'deletionTimestamp'))) -
  Number(valueAt(object, 'metadata', 'deletionGracePeriodSeconds') ?? 0) * 1000;
