import { asObject, asString } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { compareQuantities, parseQuantity, type Quantity } from '../../../machinery/meta/quantity.ts';
import type { SyncPlugin, PluginPorts } from '../chain/plugin.ts';
import { deny, byObject, byRule } from '../chain/refusal.ts';
import { forResource, pass } from './handled-resource.ts';
import type { PersistentVolumeClaim } from '../../../api/types/generated/core-v1.ts';
import type { StorageClass } from '../../../api/types/generated/storage-v1.ts';

const notBound = 'Only bound persistent volume claims can be expanded';
const notExpandable =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

/**
 * Only bound claims whose class allows expansion may grow. Follows kubernetes
 * plugin/pkg/admission/storage/persistentvolume/resize/admission.go (rule PLG-19).
 */
export const persistentVolumeClaimResize: SyncPlugin = {
  name: 'PersistentVolumeClaimResize',
  operations: ['UPDATE'],
  validate: forResource({ group: '', resource: 'persistentvolumeclaims' }, (request, ports) => {
    const { object, oldObject } = request;
    if (oldObject === null || compareQuantities(sizeOf(object), sizeOf(oldObject)) <= 0) return pass(request);
    if (oldObject.status?.phase !== 'Bound') {
      const source = byRule(size, 'a larger value only while status.phase is Bound');
      return deny(request, notBound, source);
    }
    const storageClass = sameClass(object, oldObject, ports);
    if (storageClass?.allowVolumeExpansion === true) return pass(request);
    const limit = { refused: size, allowed: 'a larger value only where allowVolumeExpansion is true' };
    const source = storageClass
      ? byObject(storageClass, 'allowVolumeExpansion', limit)
      : byRule(size, 'a larger value only with a StorageClass that allows it, the same before and after');
    return deny(request, notExpandable, source);
  }),
};

const size = 'spec.resources.requests.storage';
const nothing: Quantity = { value: 0n, scale: 0, format: 'BinarySI' };

function sizeOf(claim: PersistentVolumeClaim): Quantity {
  const reading = parseQuantity(asString(claim.spec?.resources?.requests?.['storage']));
  return reading.outcome === 'parsed' ? reading.quantity : nothing;
}

/** undefined if the class changes or does not exist. */
function sameClass(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  { cluster }: PluginPorts,
): StorageClass | undefined {
  const name = classOf(claim);
  if (name === '' || name !== classOf(old)) return undefined;
  return cluster.get({ group: 'storage.k8s.io', resource: 'storageclasses' }, '', name);
}

/**
 * The beta annotation overrides the field. Follows kubernetes pkg/apis/core/helper/helpers.go
 * GetPersistentVolumeClaimClass.
 */
const classOf = (claim: PersistentVolumeClaim): string =>
  metadataOf(claim).annotations?.['volume.beta.kubernetes.io/storage-class'] ??
  asString(asObject(claim.spec).storageClassName);
