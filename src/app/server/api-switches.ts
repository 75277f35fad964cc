import type { ServerConfig } from '../../adapters/config/server-config.ts';
import { commandFailed } from '../../adapters/config/config-error.ts';
import { emulatedRelease } from '../../adapters/config/upstream/versions.ts';
import { loadRelease } from '../../api/release/load-release.ts';
import type { Release } from '../../api/release/release.ts';
import { gatesOfGatedFields } from '../../api/strategy/gated-fields.ts';
import { gatesOfOlderChecks } from '../../api/strategy/older-checks.ts';
import type { IsServed } from '../../api/types/catalogue/served-apis.ts';
import { certificateUids } from '../../apiserver/auth/authenticate.ts';
import { hidesReviews } from '../../machinery/meta/hidden-reviews.ts';
import type { FeatureGates } from '../../api/types/features/feature-gates.ts';

/** The release, with `--feature-gates` and `--runtime-config`. */
export interface ApiSwitches {
  readonly release: Release;
  readonly features: FeatureGates;
  readonly isServed: IsServed;
}

/** Rejects with StartFailure and upstream's messages. */
export async function readApiSwitches(config: ServerConfig): Promise<ApiSwitches> {
  const { featureGates, runtimeConfig, kubernetesVersion } = config;
  const release = await loadRelease(kubernetesVersion);
  const reading = release.readFeatureGates(featureGates);
  if (reading.outcome === 'wrong') throw commandFailed(reading.error);
  const apis = release.readServedApis(runtimeConfig, reading.gates);
  if (apis.outcome === 'wrong') throw commandFailed(apis.error);
  const features = reading.gates;
  const followed = features.named.length === 0 ? release : release.withGates(features);
  const isServed = isEmulating(config) ? servedWhileEmulating(apis.isServed, await loadRelease('')) : apis.isServed;
  return { release: followed, features, isServed };
}

const isEmulating = (config: ServerConfig): boolean =>
  config.kubernetesVersion !== '' && emulatedRelease(config) === config.kubernetesVersion;

/** Gates with an effect in kadmit. */
const effectiveGates: ReadonlySet<string> = new Set([
  ...gatesOfGatedFields,
  ...gatesOfOlderChecks,
  'AllAlpha',
  'AllBeta',
  certificateUids,
  hidesReviews,
  'ClusterTrustBundle',
  'GenericWorkload',
  'ManifestBasedAdmissionControlConfig',
  'PodCertificateRequest',
  'StorageVersionMigrator',
]);

/** A line about gates without an effect. */
export function ineffectiveGatesLines({ named }: FeatureGates): readonly string[] {
  const useless = named.filter((gate) => !effectiveGates.has(gate));
  if (useless.length === 0) return [];
  const verbs = useless.length === 1 ? 'is known and changes' : 'are known and change';
  return [`--feature-gates: ${useless.join(', ')} ${verbs} nothing here`];
}

/** APIs that the default release serves only when it emulates an older one. */
const servedWhenEmulating: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies',
  'admissionregistration.k8s.io/v1beta1/validatingadmissionpolicybindings',
]);

/**
 * The APIs of the emulated release that this binary has: removed APIs cannot be emulated.
 * Follows apiserver pkg/server/deleted_kinds.go and kubernetes pkg/registry/GROUP/rest.
 */
function servedWhileEmulating(isServed: IsServed, binary: Release): IsServed {
  const { find } = binary.createCatalogue(() => true);
  return (row) =>
    isServed(row) &&
    (servedWhenEmulating.has(`${row.group}/${row.version}/${row.resource}`) ||
      find(row, row.subresource ?? '') !== undefined);
}
