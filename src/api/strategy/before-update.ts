import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { badRequest } from '../../machinery/meta/status.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

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

/**
 * A new object as it goes to validation. Its name, uid and creationTimestamp are there already; `namespace` is the
 * request's, '' for a cluster-scoped resource. Follows apiserver pkg/registry/rest/create.go BeforeCreate.
 */
export function beforeCreate(
  strategy: Strategy,
  object: KubernetesObject,
  namespace: string,
  context: StrategyContext,
): Result<KubernetesObject> {
  const named = ensureNamespace(object, namespace);
  return named.ok ? strategy.prepareForCreate(named.value, context) : named;
}

/**
 * The object in the request's namespace ('' for a cluster-scoped resource, whose objects lose theirs); a different
 * one is refused. Follows apiserver pkg/registry/rest/meta.go EnsureObjectNamespaceMatchesRequestNamespace (rule PATH-6).
 */
export function ensureNamespace(object: KubernetesObject, namespace: string): Result<KubernetesObject> {
  const own = metadataOf(object).namespace ?? '';
  if (own === namespace) return ok(object);
  if (own === '') return ok(withMetadata(object, { namespace }));
  if (namespace === '') return ok(withMetadata(object, { namespace: undefined }));
  return refuse(badRequest('the namespace of the provided object does not match the namespace sent on the request'));
}
