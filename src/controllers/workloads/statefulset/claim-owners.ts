import { metadataOf } from '../../../machinery/meta/object.ts';
import type { OwnerReference } from '../../../machinery/meta/object.ts';
import { nameOf, uidOf } from '../fields.ts';
import { controllerReference } from '../ownership.ts';
import { isInRange, ordinalOf } from './ordinals.ts';
import type { PersistentVolumeClaim, Pod } from '../../../api/types/generated/core-v1.ts';
import type {
  StatefulSet,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
} from '../../../api/types/generated/apps-v1.ts';

const apiVersions: Readonly<Record<string, string>> = { StatefulSet: 'apps/v1', Pod: 'v1' };

const names = (reference: OwnerReference, { kind, ...object }: Pod | StatefulSet): boolean =>
  reference.kind === kind && reference.apiVersion === apiVersions[kind] && reference.name === object.metadata?.name;

const ownersOf = (claim: PersistentVolumeClaim): readonly OwnerReference[] => metadataOf(claim).ownerReferences ?? [];

/** Does it name an earlier object of the owner's name? */
export const isStaleFor = (claim: PersistentVolumeClaim, owner: StatefulSet | Pod): boolean =>
  ownersOf(claim).some((reference) => names(reference, owner) && reference.uid !== uidOf(owner));

/** Are claims deleted when their Pod is scaled away? */
export const deletesWhenScaled = (set: StatefulSet): boolean => policyOf(set, 'whenScaled') === 'Delete';

const deletesWhenDeleted = (set: StatefulSet): boolean => policyOf(set, 'whenDeleted') === 'Delete';

const policyOf = (set: StatefulSet, field: keyof StatefulSetPersistentVolumeClaimRetentionPolicy): string =>
  set.spec?.persistentVolumeClaimRetentionPolicy?.[field] ?? 'Retain';

/** Somebody manages the claim whom a retention policy does not know. Follows hasUnexpectedController. */
export function hasForeignController(
  claim: PersistentVolumeClaim,
  { set, pod }: { readonly set: StatefulSet; readonly pod: Pod },
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
  claim: PersistentVolumeClaim,
  family: { readonly set: StatefulSet; readonly pod: Pod },
): readonly OwnerReference[] | undefined {
  const { set, pod } = family;
  const before = ownersOf(claim);
  if (isStaleFor(claim, set) || isStaleFor(claim, pod)) return undefined;
  const others = before.filter((reference) => !names(reference, set) && !names(reference, pod));
  if (hasForeignController(claim, family)) return others.length === before.length ? undefined : others;
  const isScaledAway = deletesWhenScaled(set) && !isInRange(set, ordinalOf(pod));
  const wanted = [...(deletesWhenDeleted(set) && !isScaledAway ? [set] : []), ...(isScaledAway ? [pod] : [])];
  const has = (owner: Pod | StatefulSet): boolean =>
    before.some((reference) => reference.uid === uidOf(owner) && reference.controller === true);
  const own = before.filter((reference) => names(reference, set) || names(reference, pod));
  if (own.length === wanted.length && wanted.every(has)) return undefined;
  return [...others, ...wanted.map(controllerReference)];
}

export const conflictMessage = (claim: PersistentVolumeClaim): string =>
  `PersistentVolumeClaim ${nameOf(claim)} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
