import { nodeOfPod } from './workloads/pod-state.ts';
import type { GroupVersionResource } from '../machinery/meta/gvk.ts';
import { asList, asString } from '../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../machinery/meta/object.ts';
import { ok } from '../machinery/meta/result.ts';
import { putObject, ignoreNotFound } from './write-object.ts';
import { controllerUser } from './client.ts';
import { type Controller, type ControllerStore, followResource } from './controller.ts';
import { coreV1 } from './served-resources.ts';
import { isDeleted, nameOf, namespaceOf, uidOf } from './workloads/fields.ts';
import { type ObjectName, syncObjects } from './workloads/follow-pods.ts';
import { controllerOf } from './workloads/ownership.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../api/types/generated/core-v1.ts';

const pods = coreV1('pods');
const claims = coreV1('persistentvolumeclaims');
const volumes = coreV1('persistentvolumes');
const attributesClasses = { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattributesclasses' };

/** A kind whose objects have a finalizer while they are used. */
interface Protection {
  readonly resource: GroupVersionResource;
  readonly account: string;
  readonly finalizer: string;
  readonly isUsed: (object: KubernetesObject, store: ControllerStore) => boolean;
  /** Objects whose removal may free others, and which ones. */
  readonly users: readonly GroupVersionResource[];
  readonly usedBy: (user: KubernetesObject) => readonly ObjectName[];
}

/** Adds the finalizer where it is missing, and removes it from deleted unused objects. */
const createProtection =
  ({ resource, account, finalizer, isUsed, users, usedBy }: Protection): Controller =>
  (context) => {
    const { store } = context;
    const client = context.clientFor(controllerUser(account));
    const queue = syncObjects(context, resource, async (object) => {
      const { finalizers = [] } = metadataOf(object);
      const has = finalizers.includes(finalizer);
      if (isDeleted(object) ? !has || isUsed(object, store) : has) return ok(undefined);
      const remaining = has ? finalizers.filter((one) => one !== finalizer) : [...finalizers, finalizer];
      return ignoreNotFound(await putObject(client, resource, withMetadata(object, { finalizers: remaining })));
    });
    for (const user of users) {
      followResource(context, user, (change) => {
        const before = change.type === 'updated' ? change.previous : change.object;
        if (change.type !== 'created') usedBy(before).forEach(queue.add);
      });
    }
    return queue.progress;
  };

/** Follows pkg/controller/volume/pvcprotection/pvc_protection_controller.go. */
export const claimProtection = createProtection({
  resource: claims,
  account: 'pvc-protection-controller',
  finalizer: 'kubernetes.io/pvc-protection',
  users: [pods],
  usedBy: (pod) => podVolumes(pod).map((volume) => ({ namespace: namespaceOf(pod), name: claimName(pod, volume) })),
  isUsed: (claim, store) => store.list(pods, namespaceOf(claim)).some((pod) => usesClaim(pod, claim)),
});

/** Follows pkg/controller/volume/pvprotection/pv_protection_controller.go. */
export const volumeProtection = createProtection({
  resource: volumes,
  account: 'pv-protection-controller',
  finalizer: 'kubernetes.io/pv-protection',
  users: [],
  usedBy: () => [],
  isUsed: (volume: PersistentVolume) => volume.status?.phase === 'Bound',
});

/** Follows pkg/controller/volume/vacprotection/vac_protection_controller.go. */
export const volumeAttributesClassProtection = createProtection({
  resource: attributesClasses,
  account: 'volumeattributesclass-protection-controller',
  finalizer: 'kubernetes.io/vac-protection',
  users: [volumes, claims],
  usedBy: (user) => attributesClassNames(user).map((name) => ({ namespace: '', name })),
  isUsed: (one, store) =>
    [volumes, claims].some((resource) =>
      store.list(resource).some((user) => attributesClassNames(user).includes(nameOf(one))),
    ),
});

const podVolumes = (pod: Pod): readonly Volume[] => asList(pod.spec?.volumes);

/** The claim of a volume, or its ephemeral claim; '' for none. */
function claimName(pod: Pod, volume: Volume): string {
  if (volume.ephemeral !== undefined) return `${nameOf(pod)}-${asString(volume.name)}`;
  return asString(volume.persistentVolumeClaim?.claimName);
}

/** Bound Pods use their claims; a terminated Pod no longer uses its ephemeral ones. */
function usesClaim(pod: Pod, claim: PersistentVolumeClaim): boolean {
  if (nodeOfPod(pod) === '') return false;
  return podVolumes(pod).some((volume) => {
    if (claimName(pod, volume) !== nameOf(claim)) return false;
    if (volume.ephemeral === undefined) return true;
    const isShutDown = isDeleted(pod) && metadataOf(pod).deletionGracePeriodSeconds === 0;
    return !isShutDown && controllerOf(claim)?.uid === uidOf(pod);
  });
}

/** Only the spec of a volume has a class. */
type ClassUser = Omit<PersistentVolumeClaim, 'spec'> & {
  readonly spec?: { readonly volumeAttributesClassName?: string };
};

const attributesClassNames = (user: ClassUser): readonly string[] =>
  [
    user.spec?.volumeAttributesClassName,
    user.status?.currentVolumeAttributesClassName,
    user.status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ]
    .map(asString)
    .filter((name) => name !== '');
