import { aggregateText } from '../../../machinery/errors.ts';
import type {
  StatefulSet,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
} from '../../../api/types/generated/apps-v1.ts';
import type { PersistentVolumeClaim, Pod } from '../../../api/types/generated/core-v1.ts';
import { sameJson } from '../../../machinery/json/json-equal.ts';
import {
  type KubernetesObject,
  metadataOf,
  type OwnerReference,
  withMetadata,
} from '../../../machinery/meta/object.ts';
import { ok, refuse, type Result } from '../../../machinery/meta/result.ts';
import { plainError } from '../../../machinery/meta/status.ts';
import type { ApiClient } from '../../client.ts';
import type { ControllerStore } from '../../controller.ts';
import { coreV1 } from '../../served-resources.ts';
import type { EventRecorder } from '../event-recorder.ts';
import { isDeleted, nameOf, namespaceOf, uidOf } from '../fields.ts';
import { controllerReference } from '../ownership.ts';
import { pods } from '../pod-control.ts';
import { putObject, removeObject, postObject } from '../../write-object.ts';
import {
  claimsForPod,
  withIdentityAndStorage,
  matchesIdentityAndStorage,
  isInRange,
  ordinalOf,
} from './stateful-pod.ts';
import type { StatefulSetStep } from './plan.ts';

const apiVersions: Readonly<Record<string, string>> = { StatefulSet: 'apps/v1', Pod: 'v1' };

const refersTo = (reference: OwnerReference, { kind, ...object }: Pod | StatefulSet): boolean =>
  reference.kind === kind && reference.apiVersion === apiVersions[kind] && reference.name === object.metadata?.name;

const claimOwners = (claim: PersistentVolumeClaim): readonly OwnerReference[] =>
  metadataOf(claim).ownerReferences ?? [];

/** Does it name an earlier object of the owner's name? */
const isStaleFor = (claim: PersistentVolumeClaim, owner: StatefulSet | Pod): boolean =>
  claimOwners(claim).some((reference) => refersTo(reference, owner) && reference.uid !== uidOf(owner));

/** Are claims deleted when their Pod is scaled away? */
const deletesWhenScaled = (set: StatefulSet): boolean => retentionPolicy(set, 'whenScaled') === 'Delete';

const deletesWhenDeleted = (set: StatefulSet): boolean => retentionPolicy(set, 'whenDeleted') === 'Delete';

const retentionPolicy = (set: StatefulSet, field: keyof StatefulSetPersistentVolumeClaimRetentionPolicy): string =>
  set.spec?.persistentVolumeClaimRetentionPolicy?.[field] ?? 'Retain';

/** Whether another controller manages the claim. Follows hasUnexpectedController. */
function hasForeignController(
  claim: PersistentVolumeClaim,
  { set, pod }: { readonly set: StatefulSet; readonly pod: Pod },
): boolean {
  if (!deletesWhenScaled(set) && !deletesWhenDeleted(set)) return false;
  return claimOwners(claim).some((reference) => {
    const own = [set, pod].find((owner) => refersTo(reference, owner));
    return own ? reference.uid !== uidOf(own) : reference.controller === true;
  });
}

/**
 * The owners that the retention policy of the set requires for this claim of this Pod; undefined when it has them.
 * Follows isClaimOwnerUpToDate and updateClaimOwnerRefForSetAndPod of pkg/controller/statefulset/stateful_set_utils.go.
 */
export function updateClaimOwners(
  claim: PersistentVolumeClaim,
  family: { readonly set: StatefulSet; readonly pod: Pod },
): readonly OwnerReference[] | undefined {
  const { set, pod } = family;
  const before = claimOwners(claim);
  if (isStaleFor(claim, set) || isStaleFor(claim, pod)) return undefined;
  const others = before.filter((reference) => !refersTo(reference, set) && !refersTo(reference, pod));
  if (hasForeignController(claim, family)) return others.length === before.length ? undefined : others;
  const isScaledAway = deletesWhenScaled(set) && !isInRange(set, ordinalOf(pod));
  const desired = [...(deletesWhenDeleted(set) && !isScaledAway ? [set] : []), ...(isScaledAway ? [pod] : [])];
  const has = (owner: Pod | StatefulSet): boolean =>
    before.some((reference) => reference.uid === uidOf(owner) && reference.controller === true);
  const own = before.filter((reference) => refersTo(reference, set) || refersTo(reference, pod));
  if (own.length === desired.length && desired.every(has)) return undefined;
  return [...others, ...desired.map(controllerReference)];
}

const conflictMessage = (claim: PersistentVolumeClaim): string =>
  `PersistentVolumeClaim ${nameOf(claim)} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;

const claims = coreV1('persistentvolumeclaims');

interface SetPorts {
  readonly client: ApiClient;
  readonly store: Pick<ControllerStore, 'get'>;
  readonly recorder: EventRecorder;
}

/** Takes the steps of a plan and records them as Events. Follows pkg/controller/statefulset/stateful_pod_control.go. */
export const createSetControl =
  (ports: SetPorts) =>
  async (set: StatefulSet, { act, pod }: StatefulSetStep): Promise<Result<unknown>> => {
    const place: PodOfSet = { ...ports, set, pod };
    switch (act) {
      case 'create':
        return create(place);
      case 'delete':
        return remove(place);
      case 'claim': {
        const claimed = await createClaims(place);
        return claimed.ok ? updateClaimOwnerReferences(place) : claimed;
      }
      case 'conform':
        return updateStatefulPod(place);
      case 'claim-owners':
        return updateClaimOwnerReferences(place);
    }
  };

/** A Pod, its set, and the clients to change it. */
interface PodOfSet extends SetPorts {
  readonly set: StatefulSet;
  readonly pod: Pod;
}

function recordResult({ set, pod, recorder }: PodOfSet, verb: string, result: Result<unknown>): Result<unknown> {
  recorder.event(set, ...podEvent(set, pod, verb, result));
  return result;
}

/** Follows createPersistentVolumeClaims. */
async function createClaims({ set, pod, client, store, recorder }: PodOfSet): Promise<Result<unknown>> {
  const failures: string[] = [];
  for (const claim of claimsForPod(set, ordinalOf(pod))) {
    const found = store.get(claims, namespaceOf(claim), nameOf(claim));
    if (found && isDeleted(found)) failures.push(`pvc ${nameOf(claim)} is being deleted`);
    if (found) continue;
    const created = await postObject(client, claims, claim);
    if (!created.ok) failures.push(`failed to create PVC ${nameOf(claim)}: ${created.status.message ?? ''}`);
    if (created.ok || created.status.reason !== 'AlreadyExists')
      recorder.event(set, ...claimEvent(set, pod, claim, created));
  }
  return failures.length === 0 ? ok(undefined) : refuse(plainError(aggregateText(failures)));
}

const existingClaims = ({ set, pod, store }: PodOfSet): readonly KubernetesObject[] =>
  claimsForPod(set, ordinalOf(pod))
    .map((claim) => store.get(claims, namespaceOf(claim), nameOf(claim)))
    .filter((claim) => claim !== undefined);

/** Follows UpdatePodClaimForRetentionPolicy. */
async function updateClaimOwnerReferences(place: PodOfSet): Promise<Result<unknown>> {
  for (const claim of existingClaims(place)) {
    if (hasForeignController(claim, place)) {
      place.recorder.event(place.set, 'Warning', 'ConflictingController', conflictMessage(claim));
    }
    const ownerReferences = updateClaimOwners(claim, place);
    if (!ownerReferences) continue;
    const written = await putObject(place.client, claims, withMetadata(claim, { ownerReferences }));
    if (!written.ok) return written;
  }
  return ok(undefined);
}

async function create(place: PodOfSet): Promise<Result<unknown>> {
  const { set, pod, client } = place;
  // Such a claim is deleted with its Pod, and its deletion triggers the next sync.
  if (deletesWhenScaled(set) && existingClaims(place).some((claim) => isStaleFor(claim, pod))) return ok(undefined);
  const claimed = await createClaims(place);
  if (!claimed.ok) return recordResult(place, 'create', claimed);
  const created = await postObject(client, pods, pod);
  if (!created.ok && created.status.reason === 'AlreadyExists') return created;
  const owned = await updateClaimOwnerReferences(place);
  return owned.ok ? recordResult(place, 'create', created) : recordResult(place, 'update', owned);
}

const remove = async (place: PodOfSet): Promise<Result<unknown>> =>
  recordResult(place, 'delete', await removeObject(place.client, pods, place.pod));

/** Follows UpdateStatefulPod. */
async function updateStatefulPod(place: PodOfSet): Promise<Result<unknown>> {
  const { set, pod, client } = place;
  const owned = await updateClaimOwnerReferences(place);
  if (!owned.ok || matchesIdentityAndStorage(set, pod)) return owned;
  const claimed = await createClaims(place);
  const desired = withIdentityAndStorage(set, pod);
  if (!claimed.ok || sameJson(desired, pod)) return claimed;
  return recordResult(place, 'update', await putObject(client, pods, desired));
}

type EventText = readonly [type: 'Normal' | 'Warning', reason: string, message: string];

const capitalize = (verb: string): string => verb.charAt(0).toUpperCase() + verb.slice(1);

/** Follows recordPodEvent. */
function podEvent(set: StatefulSet, pod: Pod, verb: string, result: Result<unknown>): EventText {
  const what = `${capitalize(verb)} Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)}`;
  return result.ok
    ? ['Normal', `Successful${capitalize(verb)}`, `${what} successful`]
    : ['Warning', `Failed${capitalize(verb)}`, `${what} failed error: ${result.status.message ?? ''}`];
}

/** Follows recordClaimEvent. */
function claimEvent(set: StatefulSet, pod: Pod, claim: PersistentVolumeClaim, created: Result<unknown>): EventText {
  const rest = `Pod ${nameOf(pod)} in StatefulSet ${nameOf(set)}`;
  return created.ok
    ? ['Normal', 'SuccessfulCreate', `Create Claim ${nameOf(claim)} ${rest} success`]
    : [
        'Warning',
        'FailedCreate',
        `Create Claim ${nameOf(claim)} for ${rest} failed error: ${created.status.message ?? ''}`,
      ];
}
