import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { escalationRefusal } from '../../auth/rbac/escalation.ts';
import { type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';
import type { Stage } from '../stage.ts';
import { forbiddenRequest } from '../../auth/authorizer.ts';
import { objectOf } from './decode-body.ts';
import { paramPermissionErrors } from '../../admission/validation/param-permission.ts';
import { devicePermissionErrors } from '../../admission/validation/device-permission.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';

const rbac = 'rbac.authorization.k8s.io';
const guardedResources = ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'] as const;

/** Runs between mutating admission and validation. */
export const checkEscalation = (deps: HandlerDeps): Stage => ({
  name: 'check-escalation',
  run: async (exchange) => {
    const { resource } = requirePart(exchange.target, 'target');
    if (resource.group !== rbac) return ok(exchange);
    const guarded = guardedResources.find((name) => name === resource.resource);
    return guarded === undefined ? ok(exchange) : checkRbacWrite(deps, exchange, guarded);
  },
});

function checkRbacWrite(
  { authorize, resolver }: HandlerDeps,
  exchange: Exchange,
  resource: (typeof guardedResources)[number],
): Result<Exchange> {
  const { info } = requirePart(exchange.target, 'target');
  const write = {
    user: exchange.user,
    resource,
    namespace: info.namespace,
    requestName: info.name,
    object: objectOf(exchange),
    oldObject: exchange.current?.view ?? null,
  };
  const refusal = escalationRefusal(write, { authorize, resolver });
  return refusal ? refuse(refusal) : ok(exchange);
}

interface Write {
  readonly object: KubernetesObject;
  readonly oldObject?: KubernetesObject;
}

/** Adds permission errors, for kinds that require more than the right to write. */
export function withPermissionErrors(
  faults: readonly FieldError[],
  deps: HandlerDeps,
  exchange: Exchange,
  write: Write,
): readonly FieldError[] {
  const { resource } = requirePart(exchange.target, 'target');
  if (isClaim(resource)) return [...deviceErrors(deps, exchange, write), ...faults];
  const isPolicy = resource.group === 'admissionregistration.k8s.io' && resource.subresource === '';
  return faults.length > 0 || !isPolicy ? faults : paramErrors(deps, exchange, write);
}

const isClaim = ({ group, resource }: { readonly group: string; readonly resource: string }): boolean =>
  group === 'resource.k8s.io' && (resource === 'resourceclaims' || resource === 'resourceclaimtemplates');

/** Policies and bindings with params need permission to read them. */
const paramErrors = (
  { authorize, catalogue, cluster }: HandlerDeps,
  { user }: Exchange,
  { object, oldObject }: Write,
): readonly FieldError[] => paramPermissionErrors({ user, object, oldObject }, { authorize, catalogue, cluster });

function deviceErrors(
  { authorize, cluster, release }: HandlerDeps,
  { target, user }: Exchange,
  { object, oldObject }: Write,
): readonly FieldError[] {
  const write = { question: { ...requirePart(target, 'target').info, user }, object, oldObject };
  return devicePermissionErrors(write, { authorize, cluster, release: release.minor });
}

/** After mutating admission. Follows apiserver pkg/endpoints/handlers/update.go withAuthorization (rule PATH-24). */
export const authorizeCreation = (deps: HandlerDeps): Stage => ({
  name: 'authorize-creation',
  run: async (exchange) => {
    if (exchange.current) return ok(exchange);
    const { info } = requirePart(exchange.target, 'target');
    const question = { ...info, type: 'resource', user: exchange.user, verb: 'create' } as const;
    const { allowed, reason } = deps.authorize(question);
    return allowed ? ok(exchange) : refuse(forbiddenRequest(question, reason));
  },
});
