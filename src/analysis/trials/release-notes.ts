import type { ReleaseChange } from './compare-releases.ts';

/** Upstream's description of a change. */
export interface ReleaseNote {
  readonly text: string;
  /** An enhancement, or a pull request of kubernetes/kubernetes. */
  readonly source: string;
}

/** A difference from the previous release. */
export interface CompatDifference extends ReleaseChange {
  /** `Deployment shop/web`, `create pods shop/web by bob`. */
  readonly request: string;
  /** `web.yaml:3`; absent for logged requests. */
  readonly place?: string;
  /** The first release with the difference. */
  readonly since: string;
  /** Upstream's release note. */
  readonly note?: ReleaseNote;
}

interface NoteRow extends ReleaseNote {
  readonly since: string;
  readonly about: RegExp;
}

/** From CHANGELOG-1.34.md to CHANGELOG-1.36.md of kubernetes and their enhancements. The first match wins. */
export const releaseNotes: readonly NoteRow[] = [
  { since: '1.34', about: /resource\.k8s\.io\/v1/, text: 'dynamic resource allocation is stable', source: 'KEP-4381' },
  {
    since: '1.34',
    about: /^(?!.*unsupported scope).*(?:VolumeAttributesClass|volumeattributesclasses|volumeAttributesClassName)/,
    text: 'VolumeAttributesClasses are stable',
    source: 'KEP-3751',
  },
  {
    since: '1.34',
    about: /spec\.resources|resources\.(requests|limits)/,
    text: 'resources of whole Pods are on by default (beta)',
    source: 'KEP-2837',
  },
  {
    since: '1.34',
    about: /restartPolicyRules/,
    text: 'containers have restart rules (alpha, ContainerRestartRules)',
    source: '#132642',
  },
  {
    since: '1.34',
    about: /hostnameOverride/,
    text: 'Pods may have any host name (alpha, HostnameOverride)',
    source: '#132558',
  },
  { since: '1.34', about: /fileKeyRef/, text: 'variables come from files (alpha, EnvFiles)', source: 'KEP-3721' },
  {
    since: '1.34',
    about: /podCertificate/,
    text: 'volumes with certificates of Pods (alpha, PodCertificateRequest)',
    source: 'KEP-4317',
  },
  {
    since: '1.34',
    about: /topologySpreadConstraints(?:(?!topologySpreadConstraints).)*labelSelector/,
    text: 'matchLabelKeys of spread constraints get into their selectors',
    source: '#129874',
  },
  {
    since: '1.34',
    about: /trafficDistribution/,
    text: 'PreferSameZone and PreferSameNode are on by default (beta)',
    source: '#132127',
  },
  {
    since: '1.34',
    about: /VolumeAttributesClass/,
    text: 'quotas may count the claims of a VolumeAttributesClass',
    source: '#124360',
  },
  {
    since: '1.34',
    about: /volumeDevices/,
    text: 'Pods with user namespaces may have no volumeDevices',
    source: '#132868',
  },
  {
    since: '1.34',
    about: /headless services/,
    text: 'what headless services ignore is warned of',
    source: '#132214',
  },
  {
    since: '1.35',
    about: /restartPolicy/,
    text: 'restart rules of containers are on by default (beta)',
    source: 'KEP-5307',
  },
  { since: '1.35', about: /hostnameOverride/, text: 'hostnameOverride is on by default (beta)', source: 'KEP-4762' },
  {
    since: '1.35',
    about: /fileKeyRef|\.valueFrom:/,
    text: 'variables from files are on by default (beta)',
    source: 'KEP-3721',
  },
  {
    since: '1.35',
    about: /volume \S+: nothing before, (?:(?!: nothing before, ).)*"image"/,
    text: 'image volumes are on by default (beta)',
    source: 'KEP-4639',
  },
  {
    since: '1.35',
    about: /tolerance/,
    text: 'the tolerance of HorizontalPodAutoscalers is on by default (beta)',
    source: 'KEP-4951',
  },
  {
    since: '1.35',
    about: /nodeAllocatableUpdatePeriodSeconds/,
    text: 'nodeAllocatableUpdatePeriodSeconds is on by default (beta)',
    source: 'KEP-4876',
  },
  {
    since: '1.35',
    about: /serviceAccountTokenInSecrets/,
    text: 'CSI drivers may get tokens among their secrets',
    source: 'KEP-5538',
  },
  { since: '1.35', about: /PreferClose/, text: 'PreferClose is another name of PreferSameZone', source: 'KEP-3015' },
  { since: '1.35', about: /workloadRef/, text: 'Pods refer to a Workload (alpha, GenericWorkload)', source: '#134564' },
  {
    since: '1.35',
    about: /SessionAffinity/,
    text: 'the session affinity of headless services is warned of only where there is one',
    source: '#134054',
  },
  {
    since: '1.35',
    about: /updateStrategy\.rollingUpdate\.maxUnavailable/,
    text: 'StatefulSets have a maxUnavailable, which is 1 (beta, MaxUnavailableStatefulSet)',
    source: '#133153',
  },
  { since: '1.36', about: /workloadRef/, text: 'workloadRef has become schedulingGroup', source: 'KEP-4671' },
  {
    since: '1.36',
    about: /MutatingAdmissionPolic|mutatingadmissionpolic/,
    text: 'mutating admission policies are stable and on by default',
    source: '#136039',
  },
  {
    since: '1.36',
    about: /must not have (?:leading 0s|an IPv4-mapped|bits set)|must not be an IPv4-mapped|non-standard (?:IP|CIDR)/,
    text: 'addresses and networks must be clear where they are new (StrictIPCIDRValidation)',
    source: '#137053',
  },
  {
    since: '1.36',
    about: /DNS-1035/,
    text: 'names of Services may begin with a digit (RelaxedServiceNameValidation)',
    source: 'KEP-5311',
  },
  {
    since: '1.36',
    about: /updateStrategy\.rollingUpdate\.maxUnavailable/,
    text: 'the maxUnavailable of StatefulSets is off by default again',
    source: '#137904',
  },
  {
    since: '1.36',
    about: /non-sidecar initContainers/,
    text: 'containers that end are not restarted for a resize',
    source: '#137458',
  },
  {
    since: '1.36',
    about: /extendedResourceName/,
    text: 'device classes may stand for extended resources (beta, on by default)',
    source: 'KEP-5004',
  },
  { since: '1.36', about: /externalIPs/, text: 'spec.externalIPs is deprecated', source: '#137293' },
];

/** The note on a change in this release. */
export function noteOf({
  since,
  request,
  text,
}: Pick<ReleaseChange, 'text'> & { readonly since: string; readonly request: string }): {
  readonly note?: ReleaseNote;
} {
  const row = releaseNotes.find((one) => one.since === since && one.about.test(`${request}: ${text}`));
  return row ? { note: { text: row.text, source: row.source } } : {};
}
