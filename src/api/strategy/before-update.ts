import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { Strategy, StrategyContext } from './strategy.ts';
import { ensureNamespace } from './ensure-namespace.ts';

/**
 * The object of an update as it goes to validation: namespace checked, generation and what belongs to other endpoints
 * restored, then uid (if none was sent), creationTimestamp and the marks of a deletion. `namespace` is the request's.
 * Follows apiserver pkg/registry/rest/update.go BeforeUpdate.
 */
export function beforeUpdate(
  strategy: Strategy,
  { object, oldObject, subresource, namespace }: UpdateInput,
  context: StrategyContext,
): Result<KubernetesObject> {
  const named = ensureNamespace(object, namespace);
  if (!named.ok) return named;
  const old = metadataOf(oldObject);
  const counted = withMetadata(named.value, { generation: old.generation });
  const prepared = strategy.prepareForUpdate(counted, oldObject, subresource, context);
  if (!prepared.ok) return prepared;
  const metadata = metadataOf(prepared.value);
  return ok(
    withMetadata(prepared.value, {
      uid: metadata.uid || old.uid,
      creationTimestamp: old.creationTimestamp ?? metadata.creationTimestamp,
      deletionTimestamp: old.deletionTimestamp ?? metadata.deletionTimestamp,
      deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds ?? old.deletionGracePeriodSeconds,
    }),
  );
}

interface UpdateInput {
  readonly object: KubernetesObject;
  readonly oldObject: KubernetesObject;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** '' for a cluster-scoped resource. */
  readonly namespace: string;
}
