import { asObject } from '../../machinery/json/json.ts';
import { dns1035Label } from '../../machinery/meta/names.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { maskTrailingDash } from '../validation/meta/object-meta.ts';
import { computeQosClassBeforeFix, computeQosClass } from '../validation/core/pod-resources.ts';
import { mergeAffinityKeys, preparePod, restoreForResize, restoreForStatus, withQosClass } from './pods.ts';
import { isSince, type Features } from './gated-fields.ts';
import { hidesReviews } from '../../machinery/meta/hidden-reviews.ts';
import { excludedReviewText } from './warnings.ts';
import { withField, type ResourceRules } from './resource-rules.ts';

type ChangeWarnings = (texts: readonly string[], object: KubernetesObject) => readonly string[];

const withChangedWarnings =
  (change: ChangeWarnings): ((rules: ResourceRules) => ResourceRules) =>
  ({ warningsOnCreate: onCreate, warningsOnUpdate: onUpdate, ...rules }) => ({
    ...rules,
    ...(onCreate && { warningsOnCreate: (object) => change(onCreate(object), object) }),
    ...(onUpdate && { warningsOnUpdate: (object, ...rest) => change(onUpdate(object, ...rest), object) }),
  });

const dropWarnings =
  (beginning: string): ChangeWarnings =>
  (texts) =>
    texts.filter((text) => !text.startsWith(beginning));

/** 1.34 warns about any session affinity, even None. Follows kubernetes pkg/api/service/warnings.go of that release. */
const warnAboutHeadlessSessions: ChangeWarnings = (texts, service) => {
  const { type, clusterIP } = asObject(service['spec']);
  const text = 'spec.SessionAffinity is ignored for headless services';
  if (type !== 'ClusterIP' || clusterIP !== 'None' || texts.includes(text)) return texts;
  return [text, ...texts];
};

/** `FIELD: non-standard IP address "010.0.0.1" is invalid: …` */
interface AddressWarning {
  readonly field: string;
  /** For example `non-standard IP address`. */
  readonly what: string;
  readonly given: string;
  readonly reason: string;
}

function readAddressWarning(text: string): AddressWarning | undefined {
  const [before = '', given, ...reason] = text.split('"');
  const [field, what] = before.split(': ');
  if (field === undefined || what === undefined || given === undefined) return undefined;
  return { field, what: what.trimEnd(), given, reason: reason.join('"').trimStart() };
}

const changeAddressWarnings =
  (change: (warning: AddressWarning) => string | undefined): ChangeWarnings =>
  (texts) =>
    texts.map((text) => {
      const warning = readAddressWarning(text);
      return (warning && change(warning)) ?? text;
    });

const nonStandardKinds = ['non-standard IP address', 'non-standard CIDR value'];
const isInvalidText = 'is invalid:';

/** Addresses that 1.36 rejects when new. Follows apimachinery pkg/util/validation/ip.go of 1.35. */
const warnAboutAcceptedAddresses = changeAddressWarnings(({ field, what, given, reason }) => {
  if (!nonStandardKinds.includes(what) || !reason.startsWith(isInvalidText)) return undefined;
  const rest = reason.slice(isInvalidText.length);
  return `${field}: ${what} "${given}" will be considered invalid in a future Kubernetes release:${rest}`;
});

interface ReleaseOverride {
  /** The first minor release with the current rule, or its feature gate. */
  readonly since: number | string;
  readonly resource: string;
  /** Derives the older rules from the current ones. */
  readonly before: (rules: ResourceRules) => ResourceRules;
}

const resourcesWithAddresses = [
  '/endpoints',
  '/nodes',
  '/pods',
  '/services',
  'discovery.k8s.io/endpointslices',
  'networking.k8s.io/ingresses',
  'networking.k8s.io/networkpolicies',
];
const serviceNameRule = maskTrailingDash(dns1035Label);
const prepareWithoutSpreadKeys: ResourceRules['prepareForCreate'] = (pod) => ok(preparePod(mergeAffinityKeys(pod)));

/** Changes what `prepareForCreate` made of a new Pod. */
const changePreparedPod =
  (change: (prepared: KubernetesObject, pod: KubernetesObject) => KubernetesObject) =>
  ({ prepareForCreate: prepare, ...rules }: ResourceRules): ResourceRules => ({
    ...rules,
    prepareForCreate: (pod, context) => {
      const prepared = prepare?.(pod, context) ?? ok(pod);
      return prepared.ok ? ok(change(prepared.value, pod)) : prepared;
    },
  });

/** Pod-level resources as they were admitted. */
function keepAdmittedResources(pod: KubernetesObject, prepared: KubernetesObject): KubernetesObject {
  const { resources } = asObject(pod['spec']);
  const spec = asObject(prepared['spec']);
  const before = spec['resources'] === resources ? prepared : withField(prepared, 'spec', { ...spec, resources });
  return withQosClass(before, computeQosClass);
}

const releaseOverrides: readonly ReleaseOverride[] = [
  // kubernetes pkg/registry/autoscaling/horizontalpodautoscaler/strategy.go
  {
    since: 'HPAGeneration',
    resource: 'autoscaling/horizontalpodautoscalers',
    before: ({ newGeneration: _newGeneration, ...rules }) => rules,
  },
  // Service names start with a letter: kubernetes pkg/apis/core/validation/validation.go ValidateServiceName
  // (KEP-5311).
  {
    since: 'RelaxedServiceNameValidation',
    resource: '/services',
    before: (rules) => ({ ...rules, name: serviceNameRule }),
  },
  // matchLabelKeys of spread constraints are not merged: mutateTopologySpreadConstraints in strategy.go of 1.34
  // (#129874).
  {
    since: 'MatchLabelKeysInPodTopologySpreadSelectorMerge',
    resource: '/pods',
    before: (rules) => ({ ...rules, prepareForCreate: prepareWithoutSpreadKeys }),
  },
  // Pod-level resources have their defaults before admission: kubernetes pkg/apis/core/v1/defaults.go of 1.36 (#137150).
  {
    since: 'PodLevelResourcesFixDefaulting',
    resource: '/pods',
    before: ({ restore: { '': _keep, ...restore } = {}, ...rules }) =>
      changePreparedPod((prepared, pod) => keepAdmittedResources(pod, prepared))({
        ...rules,
        restore: { ...restore, resize: restoreForResize },
      }),
  },
  {
    since: 'PodLevelResourcesFixKubeletQOSClass',
    resource: '/pods',
    before: changePreparedPod((prepared) => withQosClass(prepared, computeQosClassBeforeFix)),
  },
  // kubernetes pkg/registry/core/pod/strategy.go of 1.36.
  {
    since: 37,
    resource: '/pods',
    before: (rules) => ({ ...rules, restore: { ...rules.restore, status: restoreForStatus } }),
  },
  // kubernetes pkg/registry/policy/poddisruptionbudget/strategy.go of 1.36.
  {
    since: 37,
    resource: 'policy/poddisruptionbudgets',
    before: ({ prepareForCreate: _create, prepareForUpdate: _update, ...rules }) => rules,
  },
  // kubernetes pkg/registry/storage/csinode/strategy.go of 1.36 (#140194).
  {
    since: 37,
    resource: 'storage.k8s.io/csinodes',
    before: ({ emptyStatus: _status, ...rules }) => rules,
  },
  // kubernetes pkg/api/service/warnings.go of 1.33 to 1.36 (#132214, #137293).
  {
    since: 34,
    resource: '/services',
    before: withChangedWarnings((texts) => texts.filter((text) => !text.endsWith('is ignored for headless services'))),
  },
  { since: 35, resource: '/services', before: withChangedWarnings(warnAboutHeadlessSessions) },
  { since: 34, resource: '/services', before: withChangedWarnings(dropWarnings('spec.SessionAffinity is ignored')) },
  {
    since: 35,
    resource: '/services',
    before: withChangedWarnings(dropWarnings('spec.trafficDistribution: "PreferClose" is deprecated')),
  },
  { since: 36, resource: '/services', before: withChangedWarnings(dropWarnings('spec.externalIPs is deprecated')) },
  ...['mutating', 'validating'].map((type) => ({
    since: hidesReviews,
    resource: `admissionregistration.k8s.io/${type}webhookconfigurations`,
    before: withChangedWarnings((texts) => texts.filter((text) => !text.endsWith(excludedReviewText))),
  })),
  // IP warnings: kubernetes pkg/api/service/warnings.go and the strategies of these kinds, of 1.35 and 1.36.
  ...resourcesWithAddresses.map((resource) => ({
    since: 36,
    resource,
    before: withChangedWarnings(warnAboutAcceptedAddresses),
  })),
  // kubernetes pkg/registry/storage/csidriver/strategy.go of 1.34 and 1.35.
  {
    since: 35,
    resource: 'storage.k8s.io/csidrivers',
    before: withChangedWarnings(dropWarnings('spec.serviceAccountTokenInSecrets is unset')),
  },
];

export const applyOverrides = (resource: string, rules: ResourceRules, features: Features): ResourceRules =>
  releaseOverrides
    .filter((row) => row.resource === resource && !isSince(features, row.since))
    .reduce((current, { before }) => before(current), rules);
