import type { FieldError } from '../../machinery/meta/field-error.ts';
import { metadataOf, withMetadata, type KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../machinery/meta/result.ts';
import { badRequest } from '../../machinery/meta/status.ts';
import type { Strategy, StrategyContext } from './strategy.ts';

/**
 * Prepares an update for validation. `namespace` is the request's. Follows apiserver pkg/registry/rest/update.go
 * BeforeUpdate.
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
  readonly subresource: string;
  /** '' for a cluster-scoped resource. */
  readonly namespace: string;
}

/**
 * `namespace` is the request's, '' for a cluster-scoped resource; the object has its name, uid and creationTimestamp.
 * Follows apiserver pkg/registry/rest/create.go BeforeCreate.
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

/** Follows apiserver pkg/registry/rest/meta.go EnsureObjectNamespaceMatchesRequestNamespace (rule PATH-6). */
export function ensureNamespace(object: KubernetesObject, namespace: string): Result<KubernetesObject> {
  const own = metadataOf(object).namespace ?? '';
  if (own === namespace) return ok(object);
  if (own === '') return ok(withMetadata(object, { namespace }));
  if (namespace === '') return ok(withMetadata(object, { namespace: undefined }));
  return refuse(badRequest('the namespace of the provided object does not match the namespace sent on the request'));
}

/** Follows ValidateCreate of pkg/registry/rest/create.go. */
export function createErrors(strategy: Strategy, object: KubernetesObject): readonly FieldError[] {
  const errors = strategy.validate(object);
  return strategy.validateDeclaratively?.(errors, object) ?? errors;
}

/** Follows ValidateUpdate of pkg/registry/rest/update.go. */
export function updateErrors(
  strategy: Strategy,
  object: KubernetesObject,
  old: KubernetesObject,
  subresource: string,
): readonly FieldError[] {
  const errors = strategy.validateUpdate(object, old, subresource);
  return strategy.validateDeclaratively?.(errors, object, old) ?? errors;
}
