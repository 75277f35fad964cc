import { asList, asObject, asString, isJsonObject, type JsonObject } from '../../machinery/json/json.ts';
import { metadataOf, withMetadata, type KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { tlsPairWarnings } from '../validation/core/tls-pair.ts';
import { labelName } from '../validation/meta/object-meta.ts';
import { accountWarnings, claimWarnings, nodeWarnings, quotaWarnings, volumeWarnings } from './warnings.ts';
import { podRules } from './pods.ts';
import { withField, type ResourceRules } from './resource-rules.ts';
import { serviceRules } from './services.ts';
import { withEntry } from './workloads.ts';

/** Follows kubernetes pkg/registry/core/persistentvolumeclaim/strategy.go. */
const persistentVolumeClaimRules: ResourceRules = {
  returnsDeletedObject: true,
  warningsOnCreate: claimWarnings,
  warningsOnUpdate: (claim, _old, subresource) => (subresource === '' ? claimWarnings(claim) : []),
  emptyStatus: {},
  prepareForCreate: (claim) => ok(normalizeDataSources(dropUnsupportedDataSources(claim))),
  prepareForUpdate: (claim, old, subresource) =>
    ok(subresource === '' ? normalizeDataSources(dropUnsupportedDataSources(claim, old)) : claim),
};

/**
 * dataSourceRef to another namespace needs a feature gate; dataSource accepts claims and snapshots only. Follows
 * kubernetes pkg/api/persistentvolumeclaim/util.go DropDisabledFields, EnforceDataSourceBackwardsCompatibility.
 */
function dropUnsupportedDataSources(claim: KubernetesObject, old?: KubernetesObject): KubernetesObject {
  const spec = asObject(claim['spec']);
  const before = asObject(old?.['spec']);
  const isElsewhere = asString(asObject(spec['dataSourceRef'])['namespace']) !== '';
  const dataSourceRef = isElsewhere && before['dataSourceRef'] === undefined ? undefined : spec['dataSourceRef'];
  const hasDataSource = before['dataSource'] !== undefined || before['dataSourceRef'] !== undefined;
  const keepsSource = hasDataSource || dataSourceRef !== undefined || isClaimOrSnapshot(asObject(spec['dataSource']));
  const dataSource = keepsSource ? spec['dataSource'] : undefined;
  if (dataSourceRef === spec['dataSourceRef'] && dataSource === spec['dataSource']) return claim;
  return withField(claim, 'spec', { ...spec, dataSource, dataSourceRef });
}

function isClaimOrSnapshot({ kind, apiGroup }: JsonObject): boolean {
  const group = asString(apiGroup);
  if (kind === 'PersistentVolumeClaim') return group === '';
  return kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io';
}

/**
 * Copies dataSource to dataSourceRef and back. Follows kubernetes pkg/api/persistentvolumeclaim/util.go
 * NormalizeDataSources.
 */
function normalizeDataSources(claim: KubernetesObject): KubernetesObject {
  const spec = asObject(claim['spec']);
  const { dataSource, dataSourceRef } = spec;
  if (isJsonObject(dataSource) && dataSourceRef === undefined) {
    return withField(claim, 'spec', { ...spec, dataSourceRef: dataSource });
  }
  if (dataSource === undefined && isJsonObject(dataSourceRef) && asString(dataSourceRef['namespace']) === '') {
    const { apiGroup = null, kind = '', name = '' } = dataSourceRef;
    return withField(claim, 'spec', { ...spec, dataSource: { apiGroup, kind, name } });
  }
  return claim;
}

/** Follows kubernetes pkg/registry/core/persistentvolume/strategy.go. */
const persistentVolumeRules: ResourceRules = {
  scope: 'Cluster',
  warningsOnCreate: volumeWarnings,
  warningsOnUpdate: (volume, _old, subresource) => (subresource === '' ? volumeWarnings(volume) : []),
  returnsDeletedObject: true,
  emptyStatus: { phase: 'Pending' },
  prepareForCreate: (volume, { now }) => ok(withTransitionTime(volume, now)),
  prepareForUpdate: (volume, old, subresource, { now }) => {
    const phases = [volume, old].map((object) => asObject(object['status'])['phase']);
    return ok(subresource === 'status' && phases[0] !== phases[1] ? withTransitionTime(volume, now) : volume);
  },
};

function withTransitionTime(volume: KubernetesObject, now: number): KubernetesObject {
  const status: JsonObject = asObject(volume['status']);
  const lastPhaseTransitionTime = formatTime(now);
  return withField(volume, 'status', { ...status, lastPhaseTransitionTime });
}

const nameLabel = 'kubernetes.io/metadata.name';

/** Follows kubernetes pkg/registry/core/namespace/strategy.go. */
const namespaceRules: ResourceRules = {
  scope: 'Cluster',
  name: labelName,
  returnsDeletedObject: true,
  emptyStatus: { phase: 'Active' },
  prepareForCreate: (namespace) => ok(withNameLabel(withKubernetesFinalizer(namespace))),
  prepareForUpdate: (namespace, old, subresource) =>
    ok(withNameLabel(subresource === '' ? withField(namespace, 'spec', keepFinalizers(namespace, old)) : namespace)),
  restore: { finalize: (namespace, old) => withField(namespace, 'status', old['status']) },
};

function withKubernetesFinalizer(namespace: KubernetesObject): KubernetesObject {
  const spec = asObject(namespace['spec']);
  const finalizers = asList(spec['finalizers']);
  if (finalizers.includes('kubernetes')) return namespace;
  return withField(namespace, 'spec', { ...spec, finalizers: [...finalizers, 'kubernetes'] });
}

/** Only the finalize subresource changes `spec.finalizers`. */
function keepFinalizers(namespace: KubernetesObject, old: KubernetesObject): KubernetesObject['spec'] {
  const { finalizers: _sent, ...spec } = asObject(namespace['spec']);
  const { finalizers } = asObject(old['spec']);
  return finalizers === undefined ? spec : { ...spec, finalizers };
}

/** Defaulting could not set the label while generateName was pending. */
function withNameLabel(namespace: KubernetesObject): KubernetesObject {
  const { name = '', labels } = metadataOf(namespace);
  if (labels?.[nameLabel] === name) return namespace;
  return withMetadata(namespace, { labels: withEntry(labels, nameLabel, name) });
}

/** Follows kubernetes pkg/registry/core. */
export const coreRules: Readonly<Record<string, ResourceRules>> = {
  '/pods': podRules,
  '/services': serviceRules,
  '/namespaces': namespaceRules,
  '/persistentvolumeclaims': persistentVolumeClaimRules,
  '/persistentvolumes': persistentVolumeRules,
  '/configmaps': {},
  '/secrets': {
    warningsOnCreate: tlsPairWarnings,
    warningsOnUpdate: tlsPairWarnings,
    prepareForUpdate: (secret, old) =>
      ok(secret['type'] === undefined || secret['type'] === '' ? withField(secret, 'type', old['type']) : secret),
  },
  '/serviceaccounts': {
    warningsOnCreate: (account) => accountWarnings(account),
    warningsOnUpdate: accountWarnings,
    returnsDeletedObject: true,
    prepareForCreate: (account) => ok(keepSecretNamesOnly(account)),
    prepareForUpdate: (account) => ok(keepSecretNamesOnly(account)),
  },
  '/limitranges': {
    allowCreateOnUpdate: true,
    prepareForCreate: (range, { newUid }) =>
      ok(asString(metadataOf(range).name) === '' ? withMetadata(range, { name: newUid() }) : range),
  },
  '/resourcequotas': { returnsDeletedObject: true, emptyStatus: {}, warningsOnCreate: quotaWarnings },
  '/nodes': {
    scope: 'Cluster',
    warningsOnCreate: nodeWarnings,
    warningsOnUpdate: (node, _old, subresource) => (subresource === '' ? nodeWarnings(node) : []),
    prepareForCreate: (node) => ok(dropConfigSource(node)),
    prepareForUpdate: (node, old, subresource) => {
      const hadSource = asObject(old['spec'])['configSource'] !== undefined;
      const restored = hadSource ? node : dropConfigSource(node);
      return ok(subresource === '' ? withField(restored, 'status', old['status']) : restored);
    },
  },
};

/** A removed field. Follows kubernetes pkg/registry/core/node/strategy.go dropDisabledFields. */
function dropConfigSource(node: KubernetesObject): KubernetesObject {
  const { configSource, ...spec } = asObject(node['spec']);
  return configSource === undefined ? node : withField(node, 'spec', spec);
}

/** References to secrets keep only their names. */
function keepSecretNamesOnly(account: KubernetesObject): KubernetesObject {
  const secrets = asList(account['secrets']);
  if (secrets.every((secret) => Object.keys(asObject(secret)).every((field) => field === 'name'))) return account;
  const names = secrets.map((secret) => asObject(secret)['name']);
  return withField(
    account,
    'secrets',
    names.map((name) => (name === undefined ? {} : { name })),
  );
}
