import { asObject, asString, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { ok } from '../../machinery/meta/result.ts';
import { formatTime } from '../../machinery/meta/time.ts';
import { claimWarnings, volumeWarnings } from './deprecation-warnings.ts';
import type { ResourceRules } from './resource-rules.ts';
import { withField } from './with-field.ts';

/** Follows kubernetes pkg/registry/core/persistentvolumeclaim/strategy.go. */
export const persistentVolumeClaimRules: ResourceRules = {
  returnsDeletedObject: true,
  warningsOnCreate: claimWarnings,
  warningsOnUpdate: (claim, _old, subresource) => (subresource === '' ? claimWarnings(claim) : []),
  emptyStatus: {},
  prepareForCreate: (claim) => ok(withBothDataSources(withKnownSources(claim))),
  prepareForUpdate: (claim, old, subresource) =>
    ok(subresource === '' ? withBothDataSources(withKnownSources(claim, old)) : claim),
};

/**
 * A source in another namespace needs a feature that is off; dataSource alone takes claims and snapshots only. What the old
 * claim has stays. Follows kubernetes pkg/api/persistentvolumeclaim/util.go DropDisabledFields, EnforceDataSourceBackwardsCompatibility.
 */
function withKnownSources(claim: KubernetesObject, old?: KubernetesObject): KubernetesObject {
  const spec = asObject(claim['spec']);
  const before = asObject(old?.['spec']);
  const isElsewhere = asString(asObject(spec['dataSourceRef'])['namespace']) !== '';
  const dataSourceRef = isElsewhere && before['dataSourceRef'] === undefined ? undefined : spec['dataSourceRef'];
  const isTold = before['dataSource'] !== undefined || before['dataSourceRef'] !== undefined;
  const keepsSource = isTold || dataSourceRef !== undefined || isClaimOrSnapshot(asObject(spec['dataSource']));
  const dataSource = keepsSource ? spec['dataSource'] : undefined;
  if (dataSourceRef === spec['dataSourceRef'] && dataSource === spec['dataSource']) return claim;
  return withField(claim, 'spec', { ...spec, dataSource, dataSourceRef });
}

function isClaimOrSnapshot({ kind, apiGroup }: JsonObject): boolean {
  const group = asString(apiGroup);
  if (kind === 'PersistentVolumeClaim') return group === '';
  return kind === 'VolumeSnapshot' && group === 'snapshot.storage.k8s.io';
}

/** dataSource and dataSourceRef say the same, unless the latter points to another namespace. Follows kubernetes pkg/api/persistentvolumeclaim/util.go NormalizeDataSources. */
function withBothDataSources(claim: KubernetesObject): KubernetesObject {
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
export const persistentVolumeRules: ResourceRules = {
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
