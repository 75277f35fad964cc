import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { onlyFor, pass } from './handled-resource.ts';

interface ProtectedResource extends GroupResource {
  readonly finalizer: string;
}

/** Adds the finalizer of its resource to a new object. */
const createFinalizerPlugin = (name: string, resources: readonly ProtectedResource[]): SyncPlugin => ({
  name,
  operations: ['CREATE'],
  mutate: onlyFor(resources, (request) => {
    const { object, subresource } = request;
    const { group, resource } = request.resource;
    const finalizer = resources.find((one) => one.resource === resource && one.group === group)?.finalizer;
    if (object === null || subresource !== '' || finalizer === undefined) return pass(request);
    const present = metadataOf(object).finalizers ?? [];
    if (present.includes(finalizer)) return pass(request);
    return ok({ object: withMetadata(object, { finalizers: [...present, finalizer] }) });
  }),
});

/** Follows kubernetes plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go (rule PLG-18). */
export const storageObjectInUseProtection = createFinalizerPlugin('StorageObjectInUseProtection', [
  { group: '', resource: 'persistentvolumeclaims', finalizer: 'kubernetes.io/pvc-protection' },
  { group: '', resource: 'persistentvolumes', finalizer: 'kubernetes.io/pv-protection' },
  { group: 'storage.k8s.io', resource: 'volumeattributesclasses', finalizer: 'kubernetes.io/vac-protection' },
]);

/** Follows kubernetes plugin/pkg/admission/scheduling/podgroupprotection/admission.go. */
export const podGroupProtection = createFinalizerPlugin('PodGroupProtection', [
  { group: 'scheduling.k8s.io', resource: 'podgroups', finalizer: 'scheduling.k8s.io/podgroup-protection' },
]);
