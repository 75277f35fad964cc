import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { escalationRefusal } from '../../auth/rbac/escalation.ts';
import { type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { objectOf } from './decode-body.ts';

const rbac = 'rbac.authorization.k8s.io';
const guardedResources = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'] as const;

/** Runs between mutating admission and validation. */
export const checkEscalation = (deps: HandlerDeps): Stage => ({
  name: 'check-escalation',
  run: async (exchange) => {
    const { resource } = requirePart(exchange.target, 'target');
    if (resource.group !== rbac) return ok(exchange);
    const guarded = guardedResources.find((name) => name === resource.resource);
    return guarded === undefined ? ok(exchange) : checked(deps, exchange, guarded);
  },
});

async function checked(
  { authorize, resolver }: HandlerDeps,
  exchange: Exchange,
  resource: (typeof guardedResources)[number],
): Promise<Result<Exchange>> {
  const { info } = requirePart(exchange.target, 'target');
  const write = {
    user: exchange.user,
    resource,
    namespace: info.namespace,
    requestName: info.name,
    object: objectOf(exchange),
    oldObject: exchange.current?.view ?? null,
  };
  const refusal = await escalationRefusal(write, { authorize, resolver });
  return refusal ? refuse(refusal) : ok(exchange);
}
