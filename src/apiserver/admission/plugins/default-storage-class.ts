import { asObject } from '../../../machinery/json/json.ts';
import { metadataOf } from '../../../machinery/meta/object.ts';
import { ok } from '../../../machinery/meta/result.ts';
import type { BuiltinPlugin } from '../chain/plugin.ts';
import { defaultClass } from './default-class.ts';
import { forResource, pass } from './handled-resource.ts';

const storageClasses = { group: 'storage.k8s.io', resource: 'storageclasses' };
const marks = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
] as const;
const betaClass = 'volume.beta.kubernetes.io/storage-class';

/**
 * Sets the default class of a claim without one. Follows kubernetes
 * plugin/pkg/admission/storage/storageclass/setdefault/admission.go (rule PLG-17).
 */
export const defaultStorageClass: BuiltinPlugin = {
  name: 'DefaultStorageClass',
  operations: ['CREATE'],
  mutate: forResource({ group: '', resource: 'persistentvolumeclaims' }, (request, { cluster }) => {
    const { object } = request;
    const spec = asObject(object.spec);
    const hasClass = spec.storageClassName !== undefined || metadataOf(object).annotations?.[betaClass] !== undefined;
    const chosen = hasClass ? undefined : defaultClass(cluster.list(storageClasses), marks);
    if (chosen === undefined) return pass(request);
    const storageClassName = metadataOf(chosen).name;
    return ok({
      object: { ...object, spec: { ...spec, storageClassName } },
    });
  }),
};
