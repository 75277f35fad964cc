import { groupResourceText } from '../../apimachinery/gvk.ts';
import { metadataOf, withMetadata } from '../../apimachinery/object.ts';
import { ok } from '../../apimachinery/result.ts';
import type { BuiltinPlugin } from '../plugin.ts';
import { pass } from './handled-resource.ts';

const finalizers: ReadonlyMap<string, string> = new Map([
  ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['persistentvolumes', 'kubernetes.io/pv-protection'],
  ['volumeattributesclasses.storage.k8s.io', 'kubernetes.io/vac-protection'],
]);

/**
 * Volumes, claims and attributes classes are not removed while they are used.
 * Follows kubernetes plugin/pkg/admission/storage/storageobjectinuseprotection/admission.go (rule PLG-18).
 */
export const storageObjectInUseProtection: BuiltinPlugin = {
  name: 'StorageObjectInUseProtection',
  operations: ['CREATE'],
  mutate: (request) => {
    const { object, resource, subresource } = request;
    const finalizer = finalizers.get(groupResourceText(resource));
    if (object === null || subresource !== '' || finalizer === undefined) return pass(request);
    const present = metadataOf(object).finalizers ?? [];
    if (present.includes(finalizer)) return pass(request);
    return ok({ object: withMetadata(object, { finalizers: [...present, finalizer] }) });
  },
};
