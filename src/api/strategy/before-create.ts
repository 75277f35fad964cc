import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Result } from '../../machinery/meta/result.ts';
import type { Strategy, StrategyContext } from './strategy.ts';
import { ensureNamespace } from './ensure-namespace.ts';

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
