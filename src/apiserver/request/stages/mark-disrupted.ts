import { asList, asObject, valueAt, withValue } from '../../../machinery/json/json.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok, refuse } from '../../../machinery/meta/result.ts';
import type { Result } from '../../../machinery/meta/result.ts';
import { conflict, notFound } from '../../../machinery/meta/status.ts';
import { formatTime } from '../../../machinery/meta/time.ts';
import type { DeleteOptions } from '../delete-options.ts';
import { held } from '../exchange.ts';
import type { Exchange } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import { lateRefusal } from '../time-is-up.ts';
import { keyOf } from './load-current.ts';

/**
 * Gives a Pod the condition DisruptionTarget before it is evicted; what is returned are the options for the deletion of what
 * is stored then. Follows kubernetes pkg/registry/core/pod/storage/eviction.go addConditionAndDeletePod.
 */
export async function markDisrupted(
  rooms: Rooms,
  exchange: Exchange,
  options: DeleteOptions,
): Promise<Result<DeleteOptions>> {
  const target = held(exchange.target, 'target');
  const key = keyOf(target, target.info.name);
  for (;;) {
    const stored = await rooms.storage.read(key);
    if (!stored) return refuse(notFound(target.resource, target.info.name));
    const { object, revision } = stored;
    const fault = unmet(options, object);
    if (fault !== undefined) return refuse(conflict(pod, target.info.name, fault));
    const written = await rooms.storage.update(key, withCondition(object, rooms.clock.now()), revision);
    if (written.outcome !== 'stored') {
      const late = lateRefusal(exchange);
      if (late) return refuse(late);
      continue;
    }
    if (options.preconditions?.resourceVersion === undefined) return ok(options);
    const resourceVersion = String(written.stored.revision);
    return ok({ ...options, preconditions: { ...options.preconditions, resourceVersion } });
  }
}

const pod = { group: '', resource: 'Pod' };

/** What the deletion asks of the Pod and does not find, in upstream's words. */
function unmet({ preconditions }: DeleteOptions, object: KubernetesObject): string | undefined {
  const { uid = '', resourceVersion = '' } = metadataOf(object);
  const wanted = preconditions ?? {};
  if ((wanted.uid ?? '') !== '' && wanted.uid !== uid) {
    return `the UID in the precondition (${wanted.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
  }
  if ((wanted.resourceVersion ?? '') !== '' && wanted.resourceVersion !== resourceVersion) {
    return `the ResourceVersion in the precondition (${wanted.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
  }
  return undefined;
}

function withCondition(object: KubernetesObject, now: number): KubernetesObject {
  const conditions = asList(valueAt(object, 'status', 'conditions')).map(asObject);
  const said = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  const before = conditions.find(({ type }) => type === said.type);
  const lastTransitionTime = before?.['status'] === 'True' ? (before['lastTransitionTime'] ?? null) : formatTime(now);
  const { reason, message, ...head } = said;
  const condition: JsonObject = { ...head, lastProbeTime: null, lastTransitionTime, reason, message };
  const next = before ? conditions.map((one) => (one === before ? condition : one)) : [...conditions, condition];
  return withValue(object, ['status', 'conditions'], next);
}
