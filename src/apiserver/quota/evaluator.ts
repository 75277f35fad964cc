import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { ScopeRequirement } from './scope.ts';
import type { Usage } from './usage.ts';

/** What quotas have to know of one resource. Follows apiserver pkg/quota/v1/interfaces.go Evaluator. */
export interface Evaluator {
  /** Can such a write change what is used? */
  readonly handles: (write: QuotaWrite) => boolean;
  /** Those of the names of a quota that are about this resource. */
  readonly matchingNames: (names: readonly string[]) => readonly string[];
  /** What one object uses. `now` in milliseconds since 1970: who is gone by then uses less. */
  readonly usage: (object: KubernetesObject, now: number) => Usage;
  /** Undefined: the resource knows no scopes, so it is in none. */
  readonly isInScope?: (scope: ScopeRequirement, object: KubernetesObject) => boolean;
  /** What the object must say of itself under a quota of these names and does not. */
  readonly constraintFault?: (names: readonly string[], object: KubernetesObject) => string | undefined;
}

/** What of a request an evaluator looks at. */
export interface QuotaWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly subresource: string;
  readonly object: KubernetesObject | null;
  readonly oldObject: KubernetesObject | null;
}
