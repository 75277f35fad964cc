/** In upstream's order; true: enabled by default (rule PLG-1). */
const plugins: readonly (readonly [name: string, runsByDefault: boolean])[] = [
  ['AlwaysAdmit', false],
  ['NamespaceAutoProvision', false],
  ['NamespaceLifecycle', true],
  ['NamespaceExists', false],
  ['LimitPodHardAntiAffinityTopology', false],
  ['LimitRanger', true],
  ['ServiceAccount', true],
  ['NodeRestriction', false],
  ['TaintNodesByCondition', true],
  ['AlwaysPullImages', false],
  ['ImagePolicyWebhook', false],
  ['PodSecurity', true],
  ['PodNodeSelector', false],
  ['Priority', true],
  ['DefaultTolerationSeconds', true],
  ['PodTolerationRestriction', false],
  ['EventRateLimit', false],
  ['ExtendedResourceToleration', false],
  ['DefaultStorageClass', true],
  ['StorageObjectInUseProtection', true],
  ['PodGroupProtection', true],
  ['OwnerReferencesPermissionEnforcement', false],
  ['PersistentVolumeClaimResize', true],
  ['RuntimeClass', true],
  ['CertificateApproval', true],
  ['CertificateSigning', true],
  ['ClusterTrustBundleAttest', true],
  ['CertificateSubjectRestriction', true],
  ['DefaultIngressClass', true],
  ['DenyServiceExternalIPs', false],
  ['PodTopologyLabels', true],
  ['PodGroupWorkloadExists', true],
  ['NodeDeclaredFeatureValidator', true],
  ['JobValidation', true],
  ['PodResizeValidator', true],
  ['MutatingAdmissionPolicy', true],
  ['MutatingAdmissionWebhook', true],
  ['ValidatingAdmissionPolicy', true],
  ['ValidatingAdmissionWebhook', true],
  ['ResourceQuota', true],
  ['AlwaysDeny', false],
];

interface AdmissionPlugins {
  readonly inOrder: readonly string[];
  readonly byDefault: readonly string[];
}

/** Those of all releases. */
export const admissionPlugins: AdmissionPlugins = {
  inOrder: plugins.map(([name]) => name),
  byDefault: plugins.filter(([, runsByDefault]) => runsByDefault).map(([name]) => name),
};

interface Lifetime {
  /** The first minor release with the plugin. */
  readonly since?: number;
  /** The last one. */
  readonly until?: number;
}

/** Of plugins that came or went after 1.33. Follows kubernetes pkg/kubeapiserver/options/plugins.go. */
const lifetimes: ReadonlyMap<string, Lifetime> = new Map([
  ['NodeDeclaredFeatureValidator', { since: 35 }],
  ['PodGroupProtection', { since: 36 }],
  ['PodGroupWorkloadExists', { since: 36, until: 36 }],
  ['JobValidation', { since: 36, until: 36 }],
  ['PodResizeValidator', { since: 36 }],
]);

export function hasPlugin(name: string, minor: number): boolean {
  const { since = minor, until = minor } = lifetimes.get(name) ?? {};
  return since <= minor && minor <= until;
}

export const admissionPluginsOf = (minor: number): AdmissionPlugins => ({
  inOrder: admissionPlugins.inOrder.filter((name) => hasPlugin(name, minor)),
  byDefault: admissionPlugins.byDefault.filter((name) => hasPlugin(name, minor)),
});

export interface PluginFlags {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
}

/** In order; a plugin that is both enabled and disabled runs (rule PLG-4). */
export function enabledNames({ enable, disable }: PluginFlags): readonly string[] {
  return plugins
    .filter(([name, runsByDefault]) => enable.includes(name) || (runsByDefault && !disable.includes(name)))
    .map(([name]) => name);
}
