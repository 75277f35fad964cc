import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Usage } from './usage.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { ResourceQuota, ScopedResourceSelectorRequirement } from '../../api/types/generated/core-v1.ts';

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

/** One scope that a quota is for, as `scopes` and `scopeSelector` name it. */
export interface ScopeRequirement {
  readonly scopeName: string;
  /** In, NotIn, Exists or DoesNotExist; '' matches nothing. */
  readonly operator: string;
  readonly values: readonly string[];
}

/** An object must match all. Follows apiserver pkg/quota/v1/generic/evaluator.go getScopeSelectorsFromQuota. */
export const scopesOf = (quota: ResourceQuota): readonly ScopeRequirement[] => [
  ...asList(quota.spec?.scopes).map((name) => ({
    scopeName: asString(name),
    operator: 'Exists',
    values: [],
  })),
  ...asList(quota.spec?.scopeSelector?.matchExpressions).map(readScope),
];

export function readScope(value: ScopedResourceSelectorRequirement): ScopeRequirement {
  const { scopeName, operator, values } = asObject(value);
  return { scopeName: asString(scopeName), operator: asString(operator), values: asList(values).map(asString) };
}

/** Without a name only negative operators match. */
export function scopeMatchesNames({ operator, values }: ScopeRequirement, names: readonly string[]): boolean {
  switch (operator) {
    case 'In':
      return names.some((name) => values.includes(name));
    case 'NotIn':
      return names.length === 0 || names.some((name) => !values.includes(name));
    case 'Exists':
      return names.length > 0;
    case 'DoesNotExist':
      return names.length === 0;
    default:
      return false;
  }
}

/** As Go prints it: `{PriorityClass In [high]}`. */
export const scopeText = ({ scopeName, operator, values }: ScopeRequirement): string =>
  `{${scopeName} ${operator} [${values.join(' ')}]}`;
