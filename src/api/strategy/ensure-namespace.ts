import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok, refuse } from '../../machinery/meta/result.ts';
import type { Result } from '../../machinery/meta/result.ts';
import { badRequest } from '../../machinery/meta/status.ts';

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
