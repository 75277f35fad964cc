import { inSteps } from '../../apimachinery/pause.ts';
import { ok, refuse } from '../../apimachinery/result.ts';
import { decided } from '../../auth/decisions.ts';
import { escalationRefusal } from '../../auth/rbac/escalation.ts';
import { held } from '../exchange.ts';
import type { Rooms } from '../rooms.ts';
import type { Stage } from '../stage.ts';
import { objectOf } from './decode-body.ts';

const rbac = 'rbac.authorization.k8s.io';
const guardedResources = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'] as const;

/** Nobody grants what they do not have: asked of roles and bindings between mutating admission and validation. */
export const checkEscalation = (rooms: Rooms): Stage => ({
  name: 'check-escalation',
  run: async (exchange) => {
    const { resource, info } = held(exchange.target, 'target');
    const guarded = guardedResources.find((name) => name === resource.resource);
    if (resource.group !== rbac || guarded === undefined) return ok(exchange);
    const write = {
      user: exchange.user,
      resource: guarded,
      namespace: info.namespace,
      requestName: info.name,
      object: objectOf(exchange),
      oldObject: exchange.current?.view ?? null,
    };
    const { authorize, resolver } = rooms;
    const refusal = await decided(authorize, (now) =>
      inSteps(escalationRefusal(write, { authorize: now, resolver }), exchange.request.pause),
    );
    return refusal ? refuse(refusal) : ok(exchange);
  },
});
