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
  readonly since: string;
  readonly note?: ReleaseNote;
}

/** What a note is about, its text and its source. The first match of a release wins. */
type NoteRow = readonly [about: RegExp, text: string, source: string];

/** From CHANGELOG-1.34.md to CHANGELOG-1.37.md of kubernetes and their enhancements. */
const notes: Readonly<Record<string, readonly NoteRow[]>> = {
  '1.34': [
    [/resource\.k8s\.io\/v1/, 'dynamic resource allocation is stable', 'KEP-4381'],
    [
      /^(?!.*unsupported scope).*(?:VolumeAttributesClass|volumeattributesclasses|volumeAttributesClassName)/,
      'VolumeAttributesClasses are stable',
      'KEP-3751',
    ],
    [/spec\.resources|resources\.(requests|limits)/, 'resources of whole Pods are on by default (beta)', 'KEP-2837'],
    [/restartPolicyRules/, 'containers have restart rules (alpha, ContainerRestartRules)', '#132642'],
    [/hostnameOverride/, 'Pods may have any host name (alpha, HostnameOverride)', '#132558'],
    [/fileKeyRef/, 'environment variables can come from files (alpha, EnvFiles)', 'KEP-3721'],
    [/podCertificate/, 'volumes with certificates of Pods (alpha, PodCertificateRequest)', 'KEP-4317'],
    [
      /topologySpreadConstraints(?:(?!topologySpreadConstraints).)*labelSelector/,
      'the API server merges matchLabelKeys of spread constraints into their selectors',
      '#129874',
    ],
    [/trafficDistribution/, 'PreferSameZone and PreferSameNode are on by default (beta)', '#132127'],
    [/VolumeAttributesClass/, 'quotas may count the claims of a VolumeAttributesClass', '#124360'],
    [/volumeDevices/, 'Pods with user namespaces may have no volumeDevices', '#132868'],
    [/headless services/, 'fields that headless Services ignore cause a warning', '#132214'],
  ],
  '1.35': [
    [/restartPolicy/, 'restart rules of containers are on by default (beta)', 'KEP-5307'],
    [/hostnameOverride/, 'hostnameOverride is on by default (beta)', 'KEP-4762'],
    [/fileKeyRef|\.valueFrom:/, 'environment variables from files are on by default (beta)', 'KEP-3721'],
    [
      /volume \S+: nothing before, (?:(?!: nothing before, ).)*"image"/,
      'image volumes are on by default (beta)',
      'KEP-4639',
    ],
    [/tolerance/, 'the tolerance of HorizontalPodAutoscalers is on by default (beta)', 'KEP-4951'],
    [/nodeAllocatableUpdatePeriodSeconds/, 'nodeAllocatableUpdatePeriodSeconds is on by default (beta)', 'KEP-4876'],
    [/serviceAccountTokenInSecrets/, 'CSI drivers may receive tokens in their secrets', 'KEP-5538'],
    [/PreferClose/, 'PreferClose is another name of PreferSameZone', 'KEP-3015'],
    [/workloadRef/, 'Pods refer to a Workload (alpha, GenericWorkload)', '#134564'],
    [/SessionAffinity/, 'sessionAffinity of a headless Service causes a warning only if it is set', '#134054'],
    [
      /updateStrategy\.rollingUpdate\.maxUnavailable/,
      'StatefulSets have a maxUnavailable, which is 1 (beta, MaxUnavailableStatefulSet)',
      '#133153',
    ],
  ],
  '1.36': [
    [/workloadRef/, 'workloadRef has become schedulingGroup', 'KEP-4671'],
    [
      /MutatingAdmissionPolic|mutatingadmissionpolic/,
      'mutating admission policies are stable and on by default',
      '#136039',
    ],
    [
      /must not have (?:leading 0s|an IPv4-mapped|bits set)|must not be an IPv4-mapped|non-standard (?:IP|CIDR)/,
      'new IP addresses and CIDRs must have the canonical form (StrictIPCIDRValidation)',
      '#137053',
    ],
    [/DNS-1035/, 'names of Services may begin with a digit (RelaxedServiceNameValidation)', 'KEP-5311'],
    [
      /updateStrategy\.rollingUpdate\.maxUnavailable/,
      'the maxUnavailable of StatefulSets is off by default again',
      '#137904',
    ],
    [/non-sidecar initContainers/, 'a resize does not restart containers that have ended', '#137458'],
    [/extendedResourceName/, 'device classes may stand for extended resources (beta, on by default)', 'KEP-5004'],
    [/externalIPs/, 'spec.externalIPs is deprecated', '#137293'],
  ],
  '1.37': [
    [
      /excluded from admission webhooks|create (?:self|local)?(?:subject(?:access|rules)?|token)reviews/,
      'webhooks are not called for reviews of authentication and authorization',
      '#140019',
    ],
    [/metadata\.ownerReferences\[/, 'errors of owner references contain their index', '#140381'],
    [/minReplicas: Invalid value: 0/, 'HorizontalPodAutoscalers may scale to zero (beta, on by default)', '#139648'],
    [
      /preventPodSchedulingIfMissing/,
      'CSI drivers can prevent Pods from being scheduled to nodes without them (beta, on by default)',
      '#140612',
    ],
    [
      /updateStrategy\.rollingUpdate\.maxUnavailable/,
      'the maxUnavailable of StatefulSets is on by default again',
      '#139466',
    ],
    [/image\.reference/, 'image volumes of Pod templates require a reference', '#135989'],
    [/forbidden sysctls/, 'two more TCP sysctls are safe', '#138389'],
    [/estimated rule cost/, 'the cost estimate of a rule assumes at most 253 characters for metadata.name', '#139573'],
    [/items of type "object"/, 'sets of objects in a CustomResourceDefinition cause a warning', '#140616'],
    [/spec\.resources/, 'resources of whole Pods get their defaults after admission (beta, on by default)', '#140514'],
    [/evictionResponders/, 'Pods list their eviction responders (alpha, EvictionRequestAPI)', '#137050'],
    [/httpGet\.protocol/, 'probes use HTTP/2 without TLS (alpha, H2CContainerProbe)', '#139429'],
    [/grpc\.mode/, 'gRPC probes use TLS (alpha, GRPCContainerProbeTLS)', '#137762'],
    [/bindMountOptions/, 'mounts have options (alpha, VolumeBindMountOptions)', '#140013'],
    [/emptyDir\.mode/, 'emptyDir volumes have a mode (alpha, EmptyDirVolumeMode)', '#140244'],
    [/\.(?:defaultUser|user)"/, 'files of volumes have an owner (alpha, AtomicWriteVolumeUserFields)', '#139764'],
    [
      /unknown field "spec\.(?:jobTemplate\.spec\.)?scheduling"/,
      'Jobs are scheduled as workloads (alpha, WorkloadWithJob)',
      '#140188',
    ],
    [
      /podPreemptionPolicy/,
      'Nodes list the Pods that a resize may preempt (alpha, InPlacePodVerticalScalingSchedulerPreemption)',
      '#140000',
    ],
    [/ClusterTrustBundle|clusterTrustBundle/, 'ClusterTrustBundles and their volumes are stable', '#139437'],
    [/PodCertificateRequest|podCertificate/, 'certificates of Pods are stable', '#139579'],
    [/StorageVersionMigration/, 'StorageVersionMigrations are stable', '#138560'],
    [/DeviceTaintRule/, 'taints of devices are stable', '#138676'],
    [
      /deletion(?:Timestamp|GracePeriodSeconds)/,
      'a PUT or an apply that creates gets its metadata from the server',
      '#138908',
    ],
    [/field is immutable/, 'errors list each immutable field', 'KEP-5073'],
    [
      /is refused with other words: (?!.*shareProcessNamespace)/,
      'declarative rules validate some 80 fields, after the other rules',
      'KEP-5073',
    ],
  ],
};

interface DatedNote extends ReleaseNote {
  readonly since: string;
  readonly about: RegExp;
}

export const releaseNotes: readonly DatedNote[] = Object.entries(notes).flatMap(([since, rows]) =>
  rows.map(([about, text, source]) => ({ since, about, text, source })),
);

export function findNote({
  since,
  request,
  text,
}: Pick<ReleaseChange, 'text'> & { readonly since: string; readonly request: string }): {
  readonly note?: ReleaseNote;
} {
  const row = releaseNotes.find((one) => one.since === since && one.about.test(`${request}: ${text}`));
  return row ? { note: { text: row.text, source: row.source } } : {};
}
