import { hasExpressions, hasSelectors, isMostlyPlain } from '../../admission/matching/lazy-expressions.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import { definitionResource } from '../../custom-resources/definition.ts';
import { type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';

const policies = 'admissionregistration.k8s.io';
const devices = 'resource.k8s.io';

/**
 * Webhook configurations and device claims may contain CEL: checked on the whole object. undefined for other
 * resources.
 */
export function loadForExpressions(
  deps: HandlerDeps,
  exchange: Exchange,
  object: KubernetesObject,
): Promise<unknown> | undefined {
  const { group, resource } = requirePart(exchange.target, 'target').resource;
  const isNeeded =
    group === policies
      ? isMostlyPlain(resource) && hasExpressions(object)
      : group === devices && hasSelectors(resource, object);
  return isNeeded ? deps.loadConditions() : undefined;
}

/** Loads the engines for policies and definitions. */
export const loadConditions = (deps: HandlerDeps): Stage => ({
  name: 'load-conditions',
  run: async (exchange) => {
    const { group, resource } = requirePart(exchange.target, 'target').resource;
    switch (group) {
      case policies:
        return isMostlyPlain(resource) ? ok(exchange) : deps.loadConditions().then(() => ok(exchange));
      case definitionResource.group:
        return deps.loadDefinitions().then(() => ok(exchange));
      default:
        return ok(exchange);
    }
  },
});
