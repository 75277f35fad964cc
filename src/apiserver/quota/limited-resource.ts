import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Evaluator } from './evaluator.ts';
import { scopeText } from './scope.ts';
import type { ScopeRequirement } from './scope.ts';
import type { Usage } from './usage.ts';

/** A resource that needs a covering quota, from the plugin's configuration. */
export interface LimitedResource {
  readonly resource: GroupResource;
  /** Substrings of resource names. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopeRequirement[];
}

/** The used names that need a covering quota. Follows resourcequota/controller.go limitedByDefault. */
export const limitedNames = (
  usage: Usage,
  { group, resource }: GroupResource,
  limited: readonly LimitedResource[],
): readonly string[] => {
  const parts = limited
    .filter((one) => one.resource.group === group && one.resource.resource === resource)
    .flatMap(({ matchContains }) => matchContains);
  return [...usage]
    .filter(([name, amount]) => amount.value > 0n && parts.some((part) => name.includes(part)))
    .map(([name]) => name);
};

/** As upstream prints them; undefined for none. */
export function uncoveredScopes(
  object: KubernetesObject,
  { isInScope }: Evaluator,
  limited: readonly LimitedResource[],
  covered: ReadonlySet<string>,
): string | undefined {
  const scopes = limited
    .flatMap(({ matchScopes }) => matchScopes)
    .filter((scope) => isInScope?.(scope, object) === true && !covered.has(scope.scopeName));
  return scopes.length === 0 ? undefined : `[${scopes.map(scopeText).join(' ')}]`;
}
