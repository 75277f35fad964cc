import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { ScopeRequirement } from './scope.ts';
import type { Usage } from './usage.ts';

/** Follows apiserver pkg/quota/v1/interfaces.go Evaluator. */
export interface Evaluator {
  /** Whether the write can change usage. */
  readonly handles: (write: QuotaWrite) => boolean;
  readonly matchingNames: (names: readonly string[]) => readonly string[];
  /** `now` in milliseconds since 1970: expired objects use less. */
  readonly usage: (object: KubernetesObject, now: number) => Usage;
  /** undefined: no scopes. */
  readonly isInScope?: (scope: ScopeRequirement, object: KubernetesObject) => boolean;
  /** The required fields that the object lacks. */
  readonly constraintFault?: (names: readonly string[], object: KubernetesObject) => string | undefined;
}

export interface QuotaWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly subresource: string;
  readonly object: KubernetesObject | null;
  readonly oldObject: KubernetesObject | null;
}
