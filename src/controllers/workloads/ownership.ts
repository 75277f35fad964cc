import type { GroupVersionResource } from '../../machinery/meta/gvk.ts';
import type { LabelSelector } from '../../machinery/selectors/label-selector.ts';
import { type KubernetesObject, metadataOf, type OwnerReference } from '../../machinery/meta/object.ts';
import { ok, type Result } from '../../machinery/meta/result.ts';
import type { ApiClient } from '../client.ts';
import type { ControllerStore } from '../controller.ts';
import { patchObject } from '../write-object.ts';
import { isDeleted, namespaceOf, uidOf } from './fields.ts';

/** The managing owner of the object. */
export const controllerOf = (object: KubernetesObject): OwnerReference | undefined =>
  metadataOf(object).ownerReferences?.find(({ controller }) => controller === true);

export const isControlledBy = (object: KubernetesObject, owner: KubernetesObject): boolean =>
  controllerOf(object)?.uid === uidOf(owner);

/** Follows apimachinery pkg/apis/meta/v1/controller_ref.go NewControllerRef. */
export const controllerReference = ({ apiVersion, kind, metadata }: KubernetesObject): OwnerReference => ({
  apiVersion,
  kind,
  name: metadata?.name ?? '',
  uid: metadata?.uid ?? '',
  controller: true,
  blockOwnerDeletion: true,
});

/** The owner of objects that match its selector. */
export interface Ownership {
  readonly owner: KubernetesObject;
  readonly selector: LabelSelector;
  readonly client: ApiClient;
  readonly store: Pick<ControllerStore, 'list'>;
}

interface Claim extends Ownership {
  readonly resource: GroupVersionResource;
  /** absent: all. */
  readonly isCandidate?: (object: KubernetesObject) => boolean;
  /** Finalizers of adopted objects. */
  readonly finalizers?: readonly string[];
}

/**
 * The objects of the owner: adopts selected orphans and releases those that it no longer selects. Follows
 * pkg/controller/controller_ref_manager.go ClaimObject.
 */
export async function claim(request: Claim): Promise<Result<readonly KubernetesObject[]>> {
  const { owner } = request;
  const claimed: KubernetesObject[] = [];
  for (const object of listCandidates(request)) {
    const matches = request.selector.matches(metadataOf(object).labels ?? {});
    if (isControlledBy(object, owner) === matches) {
      if (matches) claimed.push(object);
    } else if (!isDeleted(owner) && (!matches || isOrphan(object))) {
      const patched = await patchOwner(request, object, matches);
      if (patched.ok && matches) claimed.push(object);
      else if (!patched.ok && patched.status.code !== 404) return patched;
    }
  }
  return ok(claimed);
}

const listCandidates = ({ owner, store, resource, isCandidate = () => true }: Claim): readonly KubernetesObject[] =>
  store
    .list(resource, namespaceOf(owner))
    .filter((one) => isCandidate(one) && (isControlledBy(one, owner) || !controllerOf(one)));

const isOrphan = (object: KubernetesObject): boolean => !controllerOf(object) && !isDeleted(object);

async function patchOwner(
  { owner, client, resource, finalizers = [] }: Claim,
  object: KubernetesObject,
  adopt: boolean,
): Promise<Result<unknown>> {
  const { uid = '' } = metadataOf(object);
  const reference = adopt ? controllerReference(owner) : { $patch: 'delete', uid: uidOf(owner) };
  const held =
    finalizers.length === 0 ? {} : { [adopt ? 'finalizers' : '$deleteFromPrimitiveList/finalizers']: finalizers };
  const body = { metadata: { ownerReferences: [reference], uid, ...held } };
  return patchObject(client, resource, object, { type: 'strategic-merge-patch', body });
}
