import { valueAt } from '../../../apimachinery/json.ts';
import { metadataOf } from '../../../apimachinery/object.ts';
import type { KubernetesObject, OwnerReference } from '../../../apimachinery/object.ts';
import { nameOf, uidOf } from '../fields.ts';
import { controllerReference } from '../ownership.ts';
import { isInRange, ordinalOf } from './ordinals.ts';

const apiVersions: Readonly<Record<string, string>> = { StatefulSet: 'apps/v1', Pod: 'v1' };

const names = (reference: OwnerReference, { kind, ...object }: KubernetesObject): boolean =>
  reference.kind === kind && reference.apiVersion === apiVersions[kind] && reference.name === object.metadata?.name;

const ownersOf = (claim: KubernetesObject): readonly OwnerReference[] => metadataOf(claim).ownerReferences ?? [];

/** Does it name an earlier object of the owner's name? */
export const isStaleFor = (claim: KubernetesObject, owner: KubernetesObject): boolean =>
  ownersOf(claim).some((reference) => names(reference, owner) && reference.uid !== uidOf(owner));

/** Are claims deleted when their Pod is scaled away? */
export const deletesWhenScaled = (set: KubernetesObject): boolean => policyOf(set, 'whenScaled') === 'Delete';

const deletesWhenDeleted = (set: KubernetesObject): boolean => policyOf(set, 'whenDeleted') === 'Delete';

const policyOf = (set: KubernetesObject, field: string): unknown =>
  valueAt(set, 'spec', 'persistentVolumeClaimRetentionPolicy', field) ?? 'Retain';

/** Somebody manages the claim whom a retention policy does not know. Follows hasUnexpectedController. */
export function hasForeignController(
  claim: KubernetesObject,
  { set, pod }: { readonly set: KubernetesObject; readonly pod: KubernetesObject },
): boolean {
  if (!deletesWhenScaled(set) && !deletesWhenDeleted(set)) return false;
  return ownersOf(claim).some((reference) => {
    const own = [set, pod].find((owner) => names(reference, owner));
    return own ? reference.uid !== uidOf(own) : reference.controller === true;
  });
}

/**
 * The owners that the retention policy of the set wants for this claim of this Pod; undefined when it has them.
 * Follows isClaimOwnerUpToDate and updateClaimOwnerRefForSetAndPod of pkg/controller/statefulset/stateful_set_utils.go.
 */
export function ownersToWrite(
  claim: KubernetesObject,
  family: { readonly set: KubernetesObject; readonly pod: KubernetesObject },
): readonly OwnerReference[] | undefined {
  const { set, pod } = family;
  const before = ownersOf(claim);
  if (isStaleFor(claim, set) || isStaleFor(claim, pod)) return undefined;
  const others = before.filter((reference) => !names(reference, set) && !names(reference, pod));
  if (hasForeignController(claim, family)) return others.length === before.length ? undefined : others;
  const isScaledAway = deletesWhenScaled(set) && !isInRange(set, ordinalOf(pod));
  const wanted = [...(deletesWhenDeleted(set) && !isScaledAway ? [set] : []), ...(isScaledAway ? [pod] : [])];
  const has = (owner: KubernetesObject): boolean =>
    before.some((reference) => reference.uid === uidOf(owner) && reference.controller === true);
  const own = before.filter((reference) => names(reference, set) || names(reference, pod));
  if (own.length === wanted.length && wanted.every(has)) return undefined;
  return [...others, ...wanted.map(controllerReference)];
}

export const conflictMessage = (claim: KubernetesObject): string =>
  `PersistentVolumeClaim ${nameOf(claim)} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
