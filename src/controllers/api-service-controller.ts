import { sameJson } from '../machinery/json/json-equal.ts';
import { asString, type JsonObject } from '../machinery/json/json.ts';
import type { GroupVersion, GroupResource } from '../machinery/meta/gvk.ts';
import { type KubernetesObject, metadataOf, ownValue } from '../machinery/meta/object.ts';
import { ok, type Result } from '../machinery/meta/result.ts';
import { definitionResource, definitionGroup, versionsOf } from '../apiserver/custom-resources/definition.ts';
import { apiserverUser, type ApiClient } from './client.ts';
import { type ControllerContext, followResource } from './controller.ts';
import { resourcePath } from './served-resources.ts';
import { createWorkQueue, type QueueProgress } from './work-queue.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '../api/types/generated/apiextensions-v1.ts';
import type { APIService } from '../api/types/generated/apiregistration-v1.ts';
import { createLocalApiServiceStatus } from '../api/strategy/group-rules.ts';
import { formatTime } from '../machinery/meta/time.ts';
import type { Seed } from './seed-objects.ts';

/**
 * Maintains an APIService for every version that a definition serves, with any set of controllers. Follows kubernetes
 * pkg/controlplane/controller/crdregistration and kube-aggregator pkg/controllers/autoregister.
 */
export function runApiServiceController(context: ControllerContext): QueueProgress {
  const client = context.clientFor(apiserverUser);
  const definitions: readonly CustomResourceDefinition[] = context.store.list(definitionResource);
  const desired = createDesiredVersions();
  for (const definition of definitions) desired.put(definition, servedVersions(definition));
  const find = (name: string): SyncState => ({
    desired: desired.find(name),
    current: context.store.get(apiServices, '', name),
  });
  const queue = createWorkQueue(
    (name: string) => name,
    (name) => reconcile(client, find(name)),
    context,
  );
  const enqueueIfStale = (name: string): void => {
    if (!isInSync(find(name))) queue.add(name);
  };
  for (const name of desired.names()) enqueueIfStale(name);
  followResource(context, definitionResource, ({ type, object }) => {
    for (const name of desired.put(object, type === 'removed' ? [] : servedVersions(object))) enqueueIfStale(name);
  });
  followResource(context, apiServices, ({ object }) => {
    if (metadataOf(object).labels?.[managedLabel] === automanaged) enqueueIfStale(metadataOf(object).name ?? '');
  });
  return queue.progress;
}

const automanaged = 'true';

function servedVersions(definition: KubernetesObject): readonly GroupVersion[] {
  const group = definitionGroup(definition);
  const all: readonly CustomResourceDefinitionVersion[] = versionsOf(definition);
  return all.filter(({ served }) => served === true).map(({ name }) => ({ group, version: asString(name) }));
}

interface DesiredVersions {
  readonly names: () => Iterable<string>;
  readonly find: (name: string) => GroupVersion | undefined;
  /** Records what a definition serves; returns the names that may have changed. */
  readonly put: (definition: KubernetesObject, served: readonly GroupVersion[]) => readonly string[];
}

function createDesiredVersions(): DesiredVersions {
  const byDefinition = new Map<string, readonly GroupVersion[]>();
  /** Two definitions may share a version. */
  const counts = new Map<string, { readonly version: GroupVersion; readonly times: number }>();
  /** The name, if the first or last definition of the version changed. */
  const updateCount = (version: GroupVersion, difference: 1 | -1): readonly string[] => {
    const name = apiServiceName(version);
    const before = counts.get(name)?.times ?? 0;
    const times = before + difference;
    if (times > 0) counts.set(name, { version, times });
    else counts.delete(name);
    return times > 0 && before > 0 ? [] : [name];
  };
  return {
    names: () => counts.keys(),
    find: (name) => counts.get(name)?.version,
    put: (definition, served) => {
      const { name = '' } = metadataOf(definition);
      const before = byDefinition.get(name) ?? [];
      if (before.map(apiServiceName).join() === served.map(apiServiceName).join()) return [];
      if (served.length > 0) byDefinition.set(name, served);
      else byDefinition.delete(name);
      return [...before.flatMap((one) => updateCount(one, -1)), ...served.flatMap((one) => updateCount(one, 1))];
    },
  };
}

interface SyncState {
  readonly desired: GroupVersion | undefined;
  readonly current: APIService | undefined;
}

/** An APIService without the managed label is left unchanged. */
function isInSync({ desired, current }: SyncState): boolean {
  if (!current) return desired === undefined;
  if (metadataOf(current).labels?.[managedLabel] !== automanaged) return true;
  return desired !== undefined && sameJson(createDefinitionApiService(desired).spec, current.spec);
}

async function reconcile(client: ApiClient, found: SyncState): Promise<Result<unknown>> {
  const { desired, current } = found;
  if (isInSync(found)) return ok(undefined);
  if (!current)
    return desired
      ? client({ method: 'POST', path: apiServicePath(), body: createDefinitionApiService(desired) })
      : ok(undefined);
  const { name = '', uid = '' } = metadataOf(current);
  const path = apiServicePath(name);
  if (!desired) return client({ method: 'DELETE', path, body: { preconditions: { uid } } });
  return client({ method: 'PUT', path, body: { ...current, spec: createDefinitionApiService(desired).spec } });
}

const apiServicePath = (name = ''): string => resourcePath({ ...apiServices, version: 'v1' }, '', name);

export const apiServices: GroupResource = { group: 'apiregistration.k8s.io', resource: 'apiservices' };

/** The server manages the object: always (`true`), or at its start (`onstart`). */
export const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';

/** `v1.apps`; `v1.` for the core group. */
export const apiServiceName = ({ group, version }: GroupVersion): string => `${version}.${group}`;

/** Definitions have low and equal priorities: discovery sorts their versions by name. */
const definitionPriority = { group: 1000, version: 100 };

export const createDefinitionApiService = (version: GroupVersion): APIService =>
  createApiService(version, definitionPriority, 'true');

function createApiService(
  { group, version }: GroupVersion,
  priority: typeof definitionPriority,
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
 * The APIServices of the served built-in versions. Follows kubernetes pkg/controlplane/apiserver/aggregator.go
 * apiServicesToRegister; `now` in ms since 1970.
 */
export function apiServiceSeeds(served: readonly GroupVersion[], now: number): readonly Seed[] {
  const versions = new Map(served.map((version) => [apiServiceName(version), version]));
  return [...versions.values()].flatMap((version) => {
    const priority = findBuiltinPriority(version);
    if (priority === undefined) return [];
    const object = createApiService(version, priority, 'onstart');
    const metadata = { ...object.metadata, managedFields: [serverManagedFields(version, now)] };
    return { resource: apiServices, object: { ...object, metadata, status: createLocalApiServiceStatus(now) } };
  });
}

const serverManagedFields = ({ group }: GroupVersion, now: number): JsonObject => ({
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

interface Priorities {
  readonly group: number;
  /** By version. */
  readonly versions: Readonly<Record<string, number>>;
}

/**
 * The order of the built-in groups in discovery. Follows kubernetes pkg/controlplane/apiserver/aggregator.go and
 * cmd/kube-apiserver/app/aggregator.go.
 */
const priorities: ReadonlyMap<string, Priorities> = new Map(
  Object.entries({
    '': { group: 18_000, versions: { v1: 1 } },
    apps: { group: 17_800, versions: { v1: 15 } },
    'events.k8s.io': { group: 17_750, versions: { v1: 15, v1beta1: 5 } },
    'authentication.k8s.io': { group: 17_700, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
    'authorization.k8s.io': { group: 17_600, versions: { v1: 15 } },
    autoscaling: { group: 17_500, versions: { v2: 30, v1: 15, v2beta1: 9, v2beta2: 1 } },
    batch: { group: 17_400, versions: { v1: 15, v1beta1: 9, v2alpha1: 9 } },
    'certificates.k8s.io': { group: 17_300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
    'networking.k8s.io': { group: 17_200, versions: { v1: 15, v1beta1: 9 } },
    policy: { group: 17_100, versions: { v1: 15, v1beta1: 9 } },
    'rbac.authorization.k8s.io': { group: 17_000, versions: { v1: 15 } },
    'storage.k8s.io': { group: 16_800, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
    'apiextensions.k8s.io': { group: 16_700, versions: { v1: 15 } },
    'admissionregistration.k8s.io': { group: 16_700, versions: { v1: 15, v1beta1: 12, v1alpha1: 9 } },
    'scheduling.k8s.io': { group: 16_600, versions: { v1: 15, v1beta1: 9, v1alpha3: 3, v1alpha2: 2 } },
    'coordination.k8s.io': { group: 16_500, versions: { v1: 15, v1beta1: 13, v1alpha2: 12 } },
    'node.k8s.io': { group: 16_300, versions: { v1: 15, v1beta1: 9, v1alpha1: 1 } },
    'discovery.k8s.io': { group: 16_200, versions: { v1: 15, v1beta1: 12 } },
    'resource.k8s.io': { group: 16_200, versions: { v1: 21, v1beta2: 15, v1beta1: 9, v1alpha3: 1 } },
    'flowcontrol.apiserver.k8s.io': {
      group: 16_100,
      versions: { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9 },
    },
    'internal.apiserver.k8s.io': { group: 16_000, versions: { v1alpha1: 9 } },
    'storagemigration.k8s.io': { group: 15_800, versions: { v1: 15, v1beta1: 9 } },
    'lifecycle.k8s.io': { group: 15_700, versions: { v1alpha1: 1 } },
  }),
);

/** undefined for a version without an APIService upstream. */
function findBuiltinPriority({
  group,
  version,
}: GroupVersion): { readonly group: number; readonly version: number } | undefined {
  const known = priorities.get(group);
  const priority = known && ownValue(known.versions, version);
  return known && priority !== undefined ? { group: known.group, version: priority } : undefined;
}
