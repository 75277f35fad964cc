import { dns1035Label } from '../../machinery/meta/names.ts';
import { metadataOf, withMetadata } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { maskingDash } from '../validation/meta/name-rule.ts';
import { withAppArmorFields } from './app-armor.ts';
import type { Features } from './gated-fields.ts';
import { mergeAffinityKeys } from './merge-label-keys.ts';
import { headlessSessions, ipWarningsOf, olderWarnings, withoutThose } from './older-warnings.ts';
import { podSpecAt } from './pod-specs.ts';
import type { ResourceRules } from './resource-rules.ts';

interface OlderRow {
  /** The first minor release that does as the tables of rules say, or the gate that must be on. */
  readonly since: number | string;
  readonly resource: string;
  /** What is done before, or without it, made of what the ones after them do. */
  readonly before: (rules: ResourceRules) => ResourceRules;
}

const withAddresses = [
  '/endpoints',
  '/nodes',
  '/pods',
  'discovery.k8s.io/endpointslices',
  'networking.k8s.io/ingresses',
  'networking.k8s.io/networkpolicies',
];
const serviceName = maskingDash(dns1035Label);
const preparedUnmerged: ResourceRules['prepareForCreate'] = (pod) => ok(withAppArmorFields(mergeAffinityKeys(pod)));

type Restore = NonNullable<ResourceRules['restore']>;

const unowned = (restore: Restore): Restore =>
  Object.fromEntries(
    ['ephemeralcontainers', 'resize'].flatMap((subresource) => {
      const own = restore[subresource];
      if (!own) return [];
      const withOwners: Restore[string] = (pod, old) =>
        withMetadata(own(pod, old), { managedFields: metadataOf(old).managedFields });
      return [[subresource, withOwners] as const];
    }),
  );

/** What rules of resources were before they became what they are. */
const rows: readonly OlderRow[] = [
  // Pods have a generation: kubernetes pkg/registry/core/pod/strategy.go of 1.32 and 1.33.
  { since: 33, resource: '/pods', before: ({ newGeneration: _later, ...rules }) => rules },
  // A change of a subresource of a pod has no owner: dropPodUpdates in that file of 1.32.
  {
    since: 33,
    resource: '/pods',
    before: ({ restore = {}, ...rules }) => ({ ...rules, restore: { ...restore, ...unowned(restore) } }),
  },
  // Names of services begin with a letter: kubernetes pkg/apis/core/validation/validation.go ValidateServiceName (KEP-5311).
  {
    since: 'RelaxedServiceNameValidation',
    resource: '/services',
    before: (rules) => ({ ...rules, name: serviceName }),
  },
  // Labels of a pod get into the selectors of its spread constraints: mutateTopologySpreadConstraints in strategy.go of 1.34 (#129874).
  {
    since: 'MatchLabelKeysInPodTopologySpreadSelectorMerge',
    resource: '/pods',
    before: (rules) => ({ ...rules, prepareForCreate: preparedUnmerged }),
  },
  // kubernetes pkg/api/service/warnings.go of 1.33 to 1.36 (#132214, #137293).
  {
    since: 34,
    resource: '/services',
    before: olderWarnings((texts) => texts.filter((text) => !text.endsWith('is ignored for headless services'))),
  },
  { since: 35, resource: '/services', before: olderWarnings(headlessSessions) },
  { since: 34, resource: '/services', before: olderWarnings(withoutThose('spec.SessionAffinity is ignored')) },
  {
    since: 35,
    resource: '/services',
    before: olderWarnings(withoutThose('spec.trafficDistribution: "PreferClose" is deprecated')),
  },
  { since: 36, resource: '/services', before: olderWarnings(withoutThose('spec.externalIPs is deprecated')) },
  // Addresses and networks: kubernetes pkg/api/service/warnings.go and the strategies of these kinds, of 1.32 to 1.36.
  { since: 33, resource: '/services', before: olderWarnings(ipWarningsOf.early) },
  ...withAddresses.map((resource) => ({ since: 33, resource, before: olderWarnings(ipWarningsOf.none) })),
  ...[...withAddresses, '/services'].map((resource) => ({
    since: 36,
    resource,
    before: olderWarnings(ipWarningsOf.later),
  })),
  // Wishes about labels that cannot be: kubernetes pkg/api/pod/warnings.go of 1.32 and 1.33.
  ...Object.keys(podSpecAt).map((resource) => ({
    since: 33,
    resource,
    before: olderWarnings((texts) => texts.filter((text) => !isAboutPreferredValue(text))),
  })),
  // kubernetes pkg/registry/storage/csidriver/strategy.go of 1.34 and 1.35.
  {
    since: 35,
    resource: 'storage.k8s.io/csidrivers',
    before: olderWarnings(withoutThose('spec.serviceAccountTokenInSecrets is unset')),
  },
];

/** The rules of a resource as this minor release has them, with these gates. */
export const rulesIn = (resource: string, rules: ResourceRules, { minor, isOn }: Features): ResourceRules =>
  rows
    .filter(({ since }) => !(typeof since === 'number' ? minor >= since : isOn(since)))
    .filter((row) => row.resource === resource)
    .reduce((so, { before }) => before(so), rules);

function isAboutPreferredValue(text: string): boolean {
  const field = text.slice(0, text.indexOf(': '));
  return field.includes('.preference.') && /\.values\[\d+\]$/.test(field);
}
