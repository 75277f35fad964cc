import { paramPermissionErrors } from '../../admission/validation/param-permission.ts';
import { devicePermissionErrors } from '../../admission/plugins/devices/device-permission.ts';
import type { FieldError } from '../../../machinery/meta/field-error.ts';
import type { KubernetesObject } from '../../../machinery/meta/object.ts';
import { type Exchange, requirePart } from '../exchange.ts';
import type { HandlerDeps } from '../handler-deps.ts';

interface Write {
  readonly object: KubernetesObject;
  readonly oldObject?: KubernetesObject;
}

/** Adds permission errors, for kinds that require more than the right to write. */
export async function withPermissionErrors(
  faults: readonly FieldError[],
  deps: HandlerDeps,
  exchange: Exchange,
  write: Write,
): Promise<readonly FieldError[]> {
  const { resource } = requirePart(exchange.target, 'target');
  if (isClaim(resource)) return [...(await deviceErrors(deps, exchange, write)), ...faults];
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
): Promise<readonly FieldError[]> =>
  paramPermissionErrors({ user, object, oldObject }, { authorize, catalogue, cluster });

function deviceErrors(
  { authorize, cluster, release }: HandlerDeps,
  { target, user }: Exchange,
  { object, oldObject }: Write,
): Promise<readonly FieldError[]> {
  const write = { question: { ...requirePart(target, 'target').info, user }, object, oldObject };
  return devicePermissionErrors(write, { authorize, cluster, release: release.minor });
}
