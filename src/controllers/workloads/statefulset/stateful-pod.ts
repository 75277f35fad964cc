import type { StatefulSet } from '../../../api/types/generated/apps-v1.ts';
import type { PersistentVolumeClaim, Pod, PodTemplateSpec } from '../../../api/types/generated/core-v1.ts';
import { asList, asObject, asString } from '../../../machinery/json/json.ts';
import { type KubernetesObject, metadataOf, withMetadata } from '../../../machinery/meta/object.ts';
import { intOrZero, nameOf, namespaceOf, optionalInt, replicasOf } from '../fields.ts';
import { asStrings, podFromTemplate } from '../pod-control.ts';

export const revisionLabel = 'controller-revision-hash';
const nameLabel = 'statefulset.kubernetes.io/pod-name';
const indexLabel = 'apps.kubernetes.io/pod-index';

/** A template of a set and the name of its revision. */
export interface TemplateRevision {
  readonly template: PodTemplateSpec;
  readonly revision: string;
}

/** The revision of the Pod with this ordinal. Follows newVersionedStatefulSetPod. */
export function templateRevisionFor(
  set: StatefulSet,
  ordinal: number,
  { current, update }: { readonly current: TemplateRevision; readonly update: TemplateRevision },
): TemplateRevision {
  const partition = optionalInt(set.spec?.updateStrategy?.rollingUpdate?.partition);
  const isRolling = set.spec?.updateStrategy?.type === 'RollingUpdate';
  const untouched = partition ?? (isRolling ? intOrZero(set.status?.currentReplicas) : 0);
  return ordinal < startOrdinal(set) + untouched ? current : update;
}

/** The Pod with this ordinal. Follows pkg/controller/statefulset/stateful_set_utils.go newStatefulSetPod. */
export function newStatefulPod(
  set: StatefulSet,
  ordinal: number,
  { template, revision }: TemplateRevision,
): KubernetesObject {
  const pod = podFromTemplate(set, template);
  const name = podName(set, ordinal);
  const labels = { ...metadataOf(pod).labels, [revisionLabel]: revision };
  const spec = { ...asObject(pod.spec), hostname: name, subdomain: asString(set.spec?.serviceName) };
  const named = withMetadata({ ...pod, spec }, { name, namespace: namespaceOf(set), labels });
  return withIdentityAndStorage(set, named);
}

/** The Pod with the labels and volumes that its ordinal requires. Follows updateIdentity and updateStorage. */
export function withIdentityAndStorage(set: StatefulSet, pod: Pod): KubernetesObject {
  const labels = { ...metadataOf(pod).labels, [nameLabel]: nameOf(pod), [indexLabel]: String(ordinalOf(pod)) };
  const claims = claimTemplates(set).map((template) => {
    const claimName = claimNameFor(set, template, ordinalOf(pod));
    return { name: asString(template.metadata?.name), persistentVolumeClaim: { claimName } };
  });
  const claimed = new Set<string | undefined>(claims.map(({ name }) => name));
  const others = asList(pod.spec?.volumes).filter((volume) => !claimed.has(asObject(volume).name));
  const volumes = [...claims, ...others];
  const spec = volumes.length === 0 ? pod.spec : { ...asObject(pod.spec), volumes };
  return withMetadata({ ...pod, spec: spec ?? {} }, { labels });
}

/** Do the labels match the name, and the volumes the ordinal? Follows identityMatches and storageMatches. */
export function matchesIdentityAndStorage(set: StatefulSet, pod: Pod): boolean {
  const place = parentAndOrdinal(pod);
  if (place?.parent !== nameOf(set) || metadataOf(pod).labels?.[nameLabel] !== nameOf(pod)) return false;
  const volumes = asList(pod.spec?.volumes);
  return claimTemplates(set).every((template) => {
    const volume = volumes.find((one) => asString(one.name) === asString(template.metadata?.name));
    return asString(volume?.persistentVolumeClaim?.claimName) === claimNameFor(set, template, place.ordinal);
  });
}

/** The claims that the Pod with this ordinal needs. Follows getPersistentVolumeClaims. */
export const claimsForPod = (set: StatefulSet, ordinal: number): readonly KubernetesObject[] =>
  claimTemplates(set).map((template) => {
    const { labels, annotations } = asObject(template.metadata);
    return {
      ...template,
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      metadata: {
        name: claimNameFor(set, template, ordinal),
        namespace: namespaceOf(set),
        labels: { ...asStrings(labels), ...asStrings(set.spec?.selector?.matchLabels) },
        ...(annotations === undefined ? {} : { annotations: asStrings(annotations) }),
      },
    };
  });

/** Templates may omit the kind. */
type ClaimTemplate = Partial<PersistentVolumeClaim>;

const claimTemplates = (set: StatefulSet): readonly ClaimTemplate[] => asList(set.spec?.volumeClaimTemplates);

const claimNameFor = (set: StatefulSet, template: ClaimTemplate, ordinal: number): string =>
  `${asString(template.metadata?.name)}-${podName(set, ordinal)}`;

/** The set and the ordinal in the name of a Pod; undefined without them. Follows getParentNameAndOrdinal. */
export function parentAndOrdinal(pod: Pod): { readonly parent: string; readonly ordinal: number } | undefined {
  const [, parent = '', digits = ''] = /^(.*)-(\d+)$/s.exec(nameOf(pod)) ?? [];
  const ordinal = Number(digits);
  return digits === '' || ordinal > 0x7fffffff ? undefined : { parent, ordinal };
}

export const ordinalOf = (pod: Pod): number => parentAndOrdinal(pod)?.ordinal ?? -1;

export const startOrdinal = (set: StatefulSet): number => intOrZero(set.spec?.ordinals?.start);

export const isInRange = (set: StatefulSet, ordinal: number): boolean =>
  ordinal >= startOrdinal(set) && ordinal < startOrdinal(set) + replicasOf(set);

const podName = (set: StatefulSet, ordinal: number): string => `${nameOf(set)}-${ordinal}`;

/** May Pods be created and deleted in parallel? */
export const isParallel = (set: StatefulSet): boolean => set.spec?.podManagementPolicy === 'Parallel';
