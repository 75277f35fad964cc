import type { GroupResource } from '../../machinery/meta/gvk.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { Evaluator } from './evaluator.ts';
import { scopeText } from './scope.ts';
import type { ScopeRequirement } from './scope.ts';
import type { Usage } from './usage.ts';

/** What nobody may use unless a quota covers it, by the configuration of the plugin. */
export interface LimitedResource {
  readonly resource: GroupResource;
  /** Parts of the names of amounts. */
  readonly matchContains: readonly string[];
  readonly matchScopes: readonly ScopeRequirement[];
}

/** The names that the object uses some of and that a quota has to cover. Follows resourcequota/controller.go limitedByDefault. */
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

/** The limited scopes that the object is in and no quota is for, as upstream prints them; undefined when there is none. */
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
