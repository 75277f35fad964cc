import { asObject } from '../../machinery/json/json.ts';
import { dns1035Label } from '../../machinery/meta/names.ts';
import { metadataOf, withMetadata, type KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { maskingDash } from '../validation/meta/object-meta.ts';
import { withAppArmorFields } from './app-armor.ts';
import { mergeAffinityKeys } from './pods.ts';
import { podSpecAt, type Features } from './gated-fields.ts';
import type { ResourceRules } from './resource-rules.ts';

type Change = (texts: readonly string[], object: KubernetesObject) => readonly string[];

const olderWarnings =
  (change: Change): ((rules: ResourceRules) => ResourceRules) =>
  ({ warningsOnCreate: onCreate, warningsOnUpdate: onUpdate, ...rules }) => ({
    ...rules,
    ...(onCreate && { warningsOnCreate: (object) => change(onCreate(object), object) }),
    ...(onUpdate && { warningsOnUpdate: (object, ...rest) => change(onUpdate(object, ...rest), object) }),
  });

const withoutThose =
  (beginning: string): Change =>
  (texts) =>
    texts.filter((text) => !text.startsWith(beginning));

/** 1.34 warns about any session affinity, even None. Follows kubernetes pkg/api/service/warnings.go of that release. */
const headlessSessions: Change = (texts, service) => {
  const { type, clusterIP } = asObject(service['spec']);
  const text = 'spec.SessionAffinity is ignored for headless services';
  if (type !== 'ClusterIP' || clusterIP !== 'None' || texts.includes(text)) return texts;
  return [text, ...texts];
};

/** `FIELD: non-standard IP address "010.0.0.1" is invalid: …` */
interface AboutAddress {
  readonly field: string;
  /** For example `non-standard IP address`. */
  readonly what: string;
  readonly given: string;
  readonly said: string;
}

function readAddressWarning(text: string): AboutAddress | undefined {
  const [before = '', given, ...said] = text.split('"');
  const [field, what] = before.split(': ');
  if (field === undefined || what === undefined || given === undefined) return undefined;
  return { field, what: what.trimEnd(), given, said: said.join('"').trimStart() };
}

const changedWarnings =
  (change: (about: AboutAddress) => string | undefined): Change =>
  (texts) =>
    texts.map((text) => {
      const about = readAddressWarning(text);
      return (about && change(about)) ?? text;
    });

const nonStandard = ['non-standard IP address', 'non-standard CIDR value'];
const invalid = 'is invalid:';

/** Addresses that 1.36 rejects when new. Follows apimachinery pkg/util/validation/ip.go of 1.35. */
const later = changedWarnings(({ field, what, given, said }) => {
  if (!nonStandard.includes(what) || !said.startsWith(invalid)) return undefined;
  const rest = said.slice(invalid.length);
  return `${field}: ${what} "${given}" will be considered invalid in a future Kubernetes release:${rest}`;
});

/** Follows kubernetes pkg/api/service/warnings.go of 1.32. */
const early: Change = (texts, object) =>
  earlyWords(
    texts.filter((text) => !isLaterWarning(about(text))),
    object,
  );

const isLaterWarning = (text: string): boolean =>
  /^(?:non-standard (?:IP address|CIDR value) "::ffff:|CIDR value )/i.test(text);

/** The text after the field. */
const about = (text: string): string => text.slice(text.indexOf(': ') + 2);

const notCanonical = 'should be in RFC 5952 canonical format ';
const octet = 'IPv4 field has octet with leading zero';

const earlyWords = changedWarnings(({ field, what, given, said }) => {
  const accepted = 'was accepted, but will be invalid in a future Kubernetes release:';
  if (said.startsWith(invalid) && what === 'non-standard IP address') {
    return `${field}: IP address ${accepted} ParseAddr("${given}"): ${octet}`;
  }
  if (said.startsWith(invalid) && what === 'non-standard CIDR value') {
    const [address = ''] = given.split('/', 1);
    return `${field}: IP prefix ${accepted} netip.ParsePrefix("${given}"): ParseAddr("${address}"): ${octet}`;
  }
  if (!said.startsWith(notCanonical) || !['IPv6 address', 'IPv6 CIDR value'].includes(what)) return undefined;
  const wanted = said.slice(notCanonical.length);
  const known = what.replace('CIDR value', 'prefix');
  return `${field}: ${known} "${given}" is not in RFC 5952 canonical format ${wanted}, which may cause controller apply-loops`;
});

/** Before 1.36, and for services before 1.33. */
const ipWarningsOf = {
  later,
  early,
  none: (texts) => texts.filter((text) => !/^(?:non-standard |IPv6 (?:address|CIDR)|CIDR value )/.test(about(text))),
} satisfies Record<string, Change>;

interface ReleaseOverride {
  /** The first minor release with the current rule, or its feature gate. */
  readonly since: number | string;
  readonly resource: string;
  /** Derives the older rules from the current ones. */
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

const rows: readonly ReleaseOverride[] = [
  // Pods have a generation: kubernetes pkg/registry/core/pod/strategy.go of 1.32 and 1.33.
  { since: 33, resource: '/pods', before: ({ newGeneration: _later, ...rules }) => rules },
  // Writes to pod subresources do not change managedFields: dropPodUpdates in that file of 1.32.
  {
    since: 33,
    resource: '/pods',
    before: ({ restore = {}, ...rules }) => ({ ...rules, restore: { ...restore, ...unowned(restore) } }),
  },
  // Service names start with a letter: kubernetes pkg/apis/core/validation/validation.go ValidateServiceName
  // (KEP-5311).
  {
    since: 'RelaxedServiceNameValidation',
    resource: '/services',
    before: (rules) => ({ ...rules, name: serviceName }),
  },
  // matchLabelKeys of spread constraints are not merged: mutateTopologySpreadConstraints in strategy.go of 1.34
  // (#129874).
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
  // IP warnings: kubernetes pkg/api/service/warnings.go and the strategies of these kinds, of 1.32 to 1.36.
  { since: 33, resource: '/services', before: olderWarnings(ipWarningsOf.early) },
  ...withAddresses.map((resource) => ({ since: 33, resource, before: olderWarnings(ipWarningsOf.none) })),
  ...[...withAddresses, '/services'].map((resource) => ({
    since: 36,
    resource,
    before: olderWarnings(ipWarningsOf.later),
  })),
  // Invalid values in preferred node affinity: kubernetes pkg/api/pod/warnings.go of 1.32 and 1.33.
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

export const rulesIn = (resource: string, rules: ResourceRules, { minor, isOn }: Features): ResourceRules =>
  rows
    .filter(({ since }) => !(typeof since === 'number' ? minor >= since : isOn(since)))
    .filter((row) => row.resource === resource)
    .reduce((so, { before }) => before(so), rules);

function isAboutPreferredValue(text: string): boolean {
  const field = text.slice(0, text.indexOf(': '));
  return field.includes('.preference.') && /\.values\[\d+\]$/.test(field);
}
