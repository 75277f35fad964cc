import { metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { onlyFor, pass } from './handled-resource.ts';

const kept = [
  { group: '', resource: 'persistentvolumeclaims', finalizer: 'kubernetes.io/pvc-protection' },
  { group: '', resource: 'persistentvolumes', finalizer: 'kubernetes.io/pv-protection' },
  { group: 'storage.k8s.io', resource: 'volumeattributesclasses', finalizer: 'kubernetes.io/vac-protection' },
];

/**
 * Adds protection finalizers. Follows kubernetes
 * plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go (rule PLG-18).
 */
export const storageObjectInUseProtection: SyncPlugin = {
  name: 'StorageObjectInUseProtection',
  operations: ['CREATE'],
  mutate: onlyFor(kept, (request) => {
    const { object, subresource } = request;
    const { group, resource } = request.resource;
    const finalizer = kept.find((one) => one.resource === resource && one.group === group)?.finalizer;
    if (object === null || subresource !== '' || finalizer === undefined) return pass(request);
    const present = metadataOf(object).finalizers ?? [];
    if (present.includes(finalizer)) return pass(request);
    return ok({ object: withMetadata(object, { finalizers: [...present, finalizer] }) });
  }),
};
