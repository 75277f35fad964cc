import type { GroupResource, GroupVersion } from '../machinery/meta/gvk.ts';
import type { JsonObject } from '../machinery/json/json.ts';
import { formatTime } from '../machinery/meta/time.ts';
import { locallyAvailable } from '../api/strategy/api-services.ts';
import { builtinPriority } from './api-service-priorities.ts';
import type { Seed } from './seed-objects.ts';
import type { APIService } from '../api/types/generated/apiregistration-v1.ts';

export const apiServices: GroupResource = { group: 'apiregistration.k8s.io', resource: 'apiservices' };

/** Says that the server keeps the object, and whether all the time or once when it starts. */
export const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';

/** `v1.apps`; `v1.` for the core group. */
export const apiServiceName = ({ group, version }: GroupVersion): string => `${version}.${group}`;

/** Definitions have low and equal priorities: their versions are put in order by name. */
const ofDefinitions = { group: 1000, version: 100 };

/** What the server registers for a version that one of its definitions serves. */
export const definedApiService = (version: GroupVersion): APIService => apiService(version, ofDefinitions, 'true');

function apiService(
  { group, version }: GroupVersion,
  priority: typeof ofDefinitions,
  managed: 'true' | 'onstart',
): APIService {
  return {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name: apiServiceName({ group, version }), labels: { [managedLabel]: managed } },
    spec: {
      ...(group === '' ? {} : { group }),
      version,
      groupPriorityMinimum: priority.group,
      versionPriority: priority.version,
    },
  };
}

/**
 * The APIServices of the built-in versions that are served. Follows kubernetes pkg/controlplane/apiserver/aggregator.go
 * apiServicesToRegister; `now` in ms since 1970.
 */
export function apiServiceSeeds(served: readonly GroupVersion[], now: number): readonly Seed[] {
  const versions = new Map(served.map((version) => [apiServiceName(version), version]));
  return [...versions.values()].flatMap((version) => {
    const priority = builtinPriority(version);
    if (priority === undefined) return [];
    const object = apiService(version, priority, 'onstart');
    const metadata = { ...object.metadata, managedFields: [writtenByServer(version, now)] };
    return { resource: apiServices, object: { ...object, metadata, status: locallyAvailable(now) } };
  });
}

const writtenByServer = ({ group }: GroupVersion, now: number): JsonObject => ({
  manager: 'kube-apiserver',
  operation: 'Update',
  apiVersion: 'apiregistration.k8s.io/v1',
  time: formatTime(now),
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:metadata': { 'f:labels': { '.': {}, [`f:${managedLabel}`]: {} } },
    'f:spec': {
      ...(group === '' ? {} : { 'f:group': {} }),
      'f:groupPriorityMinimum': {},
      'f:version': {},
      'f:versionPriority': {},
    },
  },
});
