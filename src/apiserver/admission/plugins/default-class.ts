import { compareTexts } from '../../../machinery/go/strings.ts';
import { asObject } from '../../../machinery/json/json.ts';
import type { GroupResource } from '../../../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf } from '../../../machinery/meta/object.ts';
import type { SyncPlugin } from '../chain/plugin.ts';
import { forResource, pass, withSpec } from './handled-resource.ts';

interface ClassRule {
  readonly name: string;
  readonly resource: GroupResource;
  readonly classes: GroupResource;
  /** The annotations that mark a class as default. */
  readonly marks: readonly string[];
  /** The field and the older annotation that name the class of an object. */
  readonly field: string;
  readonly annotation: string;
}

/** Sets the default class of an object without one. */
function createDefaultClass({ name, resource, classes, marks, field, annotation }: ClassRule): SyncPlugin {
  return {
    name,
    operations: ['CREATE'],
    mutate: forResource(resource, (request, { cluster }) => {
      const object: KubernetesObject = request.object;
      const spec = asObject(object['spec']);
      const hasClass = spec[field] !== undefined || metadataOf(object).annotations?.[annotation] !== undefined;
      const chosen = hasClass ? undefined : defaultClass(cluster.list(classes), marks);
      if (chosen === undefined) return pass(request);
      return withSpec(request, { [field]: metadataOf(chosen).name });
    }),
  };
}

/** Then the first by name. Follows kubernetes pkg/volume/util/storageclass.go GetDefaultClass. */
export function defaultClass(
  classes: readonly KubernetesObject[],
  marks: readonly string[],
): KubernetesObject | undefined {
  const isDefault = (object: KubernetesObject): boolean =>
    marks.some((mark) => metadataOf(object).annotations?.[mark] === 'true');
  return classes.filter(isDefault).toSorted(newestFirst)[0];
}

function newestFirst(a: KubernetesObject, b: KubernetesObject): number {
  const [one, other] = [metadataOf(a), metadataOf(b)];
  // RFC 3339 times of one length sort as text.
  return (
    compareTexts(other.creationTimestamp ?? '', one.creationTimestamp ?? '') ||
    compareTexts(one.name ?? '', other.name ?? '')
  );
}

/** Follows kubernetes plugin/pkg/admission/storage/storageclass/setdefault/admission.go (rule PLG-17). */
export const defaultStorageClass = createDefaultClass({
  name: 'DefaultStorageClass',
  resource: { group: '', resource: 'persistentvolumeclaims' },
  classes: { group: 'storage.k8s.io', resource: 'storageclasses' },
  marks: ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'],
  field: 'storageClassName',
  annotation: 'volume.beta.kubernetes.io/storage-class',
});

/** Follows kubernetes plugin/pkg/admission/network/defaultingressclass/admission.go (rule PLG-22). */
export const defaultIngressClass = createDefaultClass({
  name: 'DefaultIngressClass',
  resource: { group: 'networking.k8s.io', resource: 'ingresses' },
  classes: { group: 'networking.k8s.io', resource: 'ingressclasses' },
  marks: ['ingressclass.kubernetes.io/is-default-class'],
  field: 'ingressClassName',
  annotation: 'kubernetes.io/ingress.class',
});
