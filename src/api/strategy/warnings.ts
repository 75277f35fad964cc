import { removedSourceWarnings } from '../validation/core/pod-warnings.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import { metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import { canonicalQuantity } from '../../machinery/meta/quantity.ts';
import type * as core from '../types/generated/core-v1.ts';
import type { EndpointSlice } from '../types/generated/discovery-v1.ts';
import type { RuntimeClass } from '../types/generated/node-v1.ts';
import type { CSIStorageCapacity, StorageClass } from '../types/generated/storage-v1.ts';
import { findDeprecatedLabelText, termWarnings } from '../validation/core/placement-warnings.ts';
import { cidrWarnings, sliceIpWarnings } from '../validation/core/ip-warnings.ts';
import { parseAmount, isFractional } from '../validation/meta/quantity-amount.ts';
import { groupResourceText, type GroupResource } from '../../machinery/meta/gvk.ts';
import type { ValidatingWebhookConfiguration } from '../types/generated/admissionregistration-v1.ts';
import { isReview } from '../../machinery/meta/hidden-reviews.ts';

type Warnings<Kind extends KubernetesObject = KubernetesObject> = (object: Kind) => readonly string[];

const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class';
const deprecatedAnnotations: readonly (readonly [key: string, text: string])[] = [
  [storageClassAnnotation, 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ['volume.beta.kubernetes.io/mount-options', 'deprecated since v1.31; use "mountOptions" attribute instead'],
];

const annotationWarnings = (object: KubernetesObject, known: typeof deprecatedAnnotations): readonly string[] =>
  known
    .filter(([key]) => Object.hasOwn(metadataOf(object).annotations ?? {}, key))
    .map(([key, text]) => `metadata.annotations[${key}]: ${text}`);

/** Follows kubernetes pkg/api/persistentvolumeclaim/util.go. */
export const claimWarnings: Warnings<core.PersistentVolumeClaim> = (claim) => [
  ...annotationWarnings(claim, deprecatedAnnotations.slice(0, 1)),
  ...claimSpecWarnings(asObject(claim.spec), 'spec'),
];

/** Follows GetWarningsForPersistentVolumeClaimSpec. */
export function claimSpecWarnings(spec: core.PersistentVolumeClaimSpec, path: string): readonly string[] {
  const resources = asObject(spec.resources);
  return (['requests', 'limits'] as const).flatMap((list) => {
    const storage = resources[list]?.['storage'];
    if (storage === undefined || !isFractional(storage)) return [];
    const text = JSON.stringify(toCanonicalText(asString(storage)));
    return [`${path}.resources.${list}[storage]: fractional byte value ${text} is invalid, must be an integer`];
  });
}

/** In upstream's order. */
const removedSources = ['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'rbd'];

/** Follows kubernetes pkg/api/persistentvolume/util.go. */
export const volumeWarnings: Warnings<core.PersistentVolume> = (volume) => {
  const spec = asObject(volume.spec);
  const terms = asList(spec.nodeAffinity?.required?.nodeSelectorTerms);
  const isRecycled = spec.persistentVolumeReclaimPolicy === 'Recycle';
  return [
    ...annotationWarnings(volume, deprecatedAnnotations),
    ...(isRecycled ? [`spec.persistentVolumeReclaimPolicy: ${recycleText}`] : []),
    ...terms.flatMap((term, index) => termWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`)),
    ...removedSourceWarnings(spec, removedSources, 'spec'),
  ];
};

const recycleText =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';

/** Follows kubernetes pkg/api/storage/util.go. */
export const storageClassWarnings: Warnings<StorageClass> = ({ allowedTopologies }) =>
  asList(allowedTopologies).flatMap(({ matchLabelExpressions }, outer) =>
    asList(matchLabelExpressions).flatMap(({ key }, index) => {
      const text = findDeprecatedLabelText(asString(key));
      const path = `allowedTopologies[${outer}].matchLabelExpressions[${index}].key`;
      return text === undefined ? [] : [`${path}: ${text}`];
    }),
  );

/** Follows kubernetes pkg/api/node/util.go GetWarningsForNodeSelector. */
export const storageCapacityWarnings: Warnings<CSIStorageCapacity> = ({ nodeTopology = {} }) => {
  const labels = Object.keys(asObject(nodeTopology.matchLabels)).flatMap((label) => {
    const text = findDeprecatedLabelText(label);
    return text === undefined ? [] : [`nodeTopology.matchLabels.${label}: ${text}`];
  });
  return [...termWarnings(nodeTopology, 'nodeTopology'), ...labels];
};

/** Follows kubernetes pkg/api/node/util.go GetWarningsForRuntimeClass. */
export const runtimeClassWarnings: Warnings<RuntimeClass> = ({ scheduling }) =>
  Object.keys(asObject(scheduling?.nodeSelector)).flatMap((label) => {
    const text = findDeprecatedLabelText(label);
    return text === undefined ? [] : [`scheduling.nodeSelector: ${text}`];
  });

/** Follows kubernetes pkg/registry/discovery/endpointslice/strategy.go. */
export const endpointSliceWarnings: Warnings<EndpointSlice> = (slice) =>
  slice.addressType === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : sliceIpWarnings(slice);

/** Follows kubernetes pkg/registry/core/node/strategy.go. */
export const nodeWarnings: Warnings<core.Node> = (node) => {
  const { configSource, externalID, podCIDRs } = asObject(node.spec);
  return [
    ...(configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(asString(externalID) === '' ? [] : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...asList(podCIDRs).flatMap((cidr, index) => cidrWarnings(`spec.podCIDRs[${index}]`, asString(cidr))),
  ];
};

const quotaResources = ['cpu', 'memory', 'storage', 'ephemeral-storage'];

/** Follows kubernetes pkg/registry/core/resourcequota/strategy.go. */
export const quotaWarnings: Warnings<core.ResourceQuota> = (quota) => {
  const hard = asObject(quota.spec?.hard);
  return quotaResources.flatMap((name) => {
    const bare = name === 'cpu' || name === 'memory' ? [name] : [];
    const request = [`requests.${name}`, ...bare].find((one) => hard[one] !== undefined);
    const limit = `limits.${name}`;
    if (request === undefined || hard[limit] === undefined || parseAmount(hard[request]) <= parseAmount(hard[limit]))
      return [];
    const formatHard = (resource: string): string => `${resource} (${toCanonicalText(asString(hard[resource]))})`;
    return [`ResourceQuota ${formatHard(request)} should be less than ${formatHard(limit)}`];
  });
};

function toCanonicalText(quantity: string): string {
  const canonical = canonicalQuantity(quantity);
  return 'text' in canonical ? canonical.text : quantity;
}

const mountableSecretsAnnotation = 'kubernetes.io/enforce-mountable-secrets';

/** Follows kubernetes pkg/registry/core/serviceaccount/strategy.go. */
export function accountWarnings(account: KubernetesObject, old?: KubernetesObject): readonly string[] {
  const has = (object: KubernetesObject): boolean =>
    Object.hasOwn(metadataOf(object).annotations ?? {}, mountableSecretsAnnotation);
  if (!has(account) || (old && has(old))) return [];
  const text = 'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets';
  return [`metadata.annotations[${mountableSecretsAnnotation}]: ${text}`];
}

/** How a warning about a rule for reviews ends. */
export const excludedReviewText = 'is excluded from admission webhooks; this rule will have no effect';

/** About rules that name reviews. Follows kubernetes pkg/apis/admissionregistration/validation/warnings.go. */
export function webhookConfigurationWarnings({ webhooks }: ValidatingWebhookConfiguration): readonly string[] {
  return asList(webhooks).flatMap(({ rules }, webhook) =>
    asList(rules).flatMap(({ apiGroups, resources }, rule) =>
      findNamedReviews(asList(apiGroups), asList(resources)).map(
        (name) => `webhooks[${webhook}].rules[${rule}]: ${name} ${excludedReviewText}`,
      ),
    ),
  );
}

/** A rule with a wildcard may mean others. */
function findNamedReviews(groups: readonly string[], resources: readonly string[]): readonly string[] {
  if (groups.includes('*') || resources.includes('*')) return [];
  const named = groups.flatMap((group) => resources.map((resource): GroupResource => ({ group, resource })));
  return [...new Set(named.filter(isReview).map(groupResourceText))];
}
