import { apiVersionOf } from '../../../machinery/meta/gvk.ts';
import type { JsonObject } from '../../../machinery/json/json.ts';
import type { BuiltinTypes } from '../builtin-types.ts';
import type { Catalogue, ResourceInfo } from './catalogue.ts';

/** `GET /api`. Follows apiserver pkg/endpoints/discovery/legacy.go. */
export const createLegacyVersions = (serverAddress: string): JsonObject => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
});

/** `GET /apis`: every group but the core one. Follows apiserver pkg/endpoints/discovery/root.go. */
export const createGroupList = (catalogue: Catalogue): JsonObject => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groupRows(catalogue)
    .filter(({ group }) => group !== '')
    .map(createGroup),
});

/** `GET /apis/GROUP`; undefined for a group that is not served. Follows apiserver pkg/endpoints/discovery/group.go. */
export function createGroupDocument(catalogue: Catalogue, group: string): JsonObject | undefined {
  const match = groupRows(catalogue).find((each) => each.group === group && group !== '');
  return match === undefined ? undefined : { kind: 'APIGroup', apiVersion: 'v1', ...createGroup(match) };
}

/** `GET /api/v1` and `/apis/GROUP/VERSION`; undefined if not served. Follows apiserver pkg/endpoints/installer.go. */
export function createApiResourceList(catalogue: Catalogue, group: string, version: string): JsonObject | undefined {
  const rows = catalogue.all().filter((row) => row.group === group && row.version === version && !row.unlisted);
  if (rows.length === 0) return undefined;
  return {
    kind: 'APIResourceList',
    // The core list has no apiVersion.
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: apiVersionOf({ group, version }),
    resources: rows.map(createLegacyResource),
  };
}

/**
 * `GET /api` (the core group) or `/apis` (the others), aggregated. Follows apiserver
 * pkg/endpoints/discovery/aggregated.
 */
export function createAggregatedDiscovery(catalogue: Catalogue, root: 'api' | 'apis'): JsonObject {
  const items: JsonObject[] = [];
  const unset = catalogue.types.minor < 34 ? { creationTimestamp: null } : {}; // Go's omitzero came then.
  for (const { group, versions } of groupRows(catalogue)) {
    if ((group === '') !== (root === 'api')) continue;
    const listedVersions: JsonObject[] = [];
    for (const { version, rows } of versions) {
      const listed = rows.filter(({ unlisted }) => !unlisted);
      const resources = createAggregatedResources(catalogue.types, listed);
      // Follows kube-aggregator pkg/apiserver/handler_discovery.go for a version without resources.
      listedVersions.push({ version, ...(listed.length > 0 && { resources }), freshness: 'Current' });
    }
    items.push({ metadata: { ...(group === '' ? {} : { name: group }), ...unset }, versions: listedVersions });
  }
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

interface Group {
  readonly group: string;
  readonly versions: readonly { readonly version: string; readonly rows: readonly ResourceInfo[] }[];
}

function groupRows(catalogue: Catalogue): readonly Group[] {
  const groups = new Map<string, Map<string, ResourceInfo[]>>();
  for (const row of catalogue.all()) {
    const versions = groups.get(row.group) ?? new Map<string, ResourceInfo[]>();
    groups.set(row.group, versions);
    const rows = versions.get(row.version);
    if (rows === undefined) versions.set(row.version, [row]);
    else rows.push(row);
  }
  return [...groups].map(([group, versions]) => ({
    group,
    versions: [...versions].map(([version, rows]) => ({ version, rows })),
  }));
}

function createGroup({ group, versions }: Group): JsonObject {
  const listed = versions.map(({ version }) => ({ groupVersion: apiVersionOf({ group, version }), version }));
  return { name: group, versions: listed, preferredVersion: listed[0] };
}

/** Whether the body has another group version than the path; only then discovery names it. */
const isForeign = ({ group, version, kind }: ResourceInfo): boolean => kind.group !== group || kind.version !== version;

const unlessEmpty = (name: string, values: readonly string[]): JsonObject =>
  values.length === 0 ? {} : { [name]: values };

function createLegacyResource(row: ResourceInfo): JsonObject {
  const { resource, subresource, singular, namespaced, kind, verbs, storageVersionHash } = row;
  return {
    name: subresource === '' ? resource : `${resource}/${subresource}`,
    singularName: singular,
    namespaced,
    ...(isForeign(row) ? { group: kind.group, version: kind.version } : {}),
    kind: kind.kind,
    verbs,
    ...unlessEmpty('shortNames', row.shortNames),
    ...unlessEmpty('categories', row.categories),
    ...(storageVersionHash === undefined ? {} : { storageVersionHash }),
  };
}

function createAggregatedResources(types: BuiltinTypes, rows: readonly ResourceInfo[]): readonly JsonObject[] {
  const resources: JsonObject[] = [];
  const subresources = groupSubresources(rows);
  for (const row of rows.filter(({ subresource }) => subresource === '')) {
    resources.push(createAggregatedResource(types, row, subresources.get(row.resource) ?? []));
  }
  return resources;
}

function groupSubresources(rows: readonly ResourceInfo[]): ReadonlyMap<string, readonly ResourceInfo[]> {
  const byResource = new Map<string, ResourceInfo[]>();
  for (const row of rows) {
    if (row.subresource === '') continue;
    const known = byResource.get(row.resource);
    if (known) known.push(row);
    else byResource.set(row.resource, [row]);
  }
  return byResource;
}

function createAggregatedResource(
  { isRegistered }: Pick<BuiltinTypes, 'isRegistered'>,
  row: ResourceInfo,
  below: readonly ResourceInfo[],
): JsonObject {
  const subresources = below.map((other) => ({
    subresource: other.subresource,
    responseKind: createResponseKind(other, isRegistered(other.kind)),
    verbs: other.verbs,
  }));
  return {
    resource: row.resource,
    responseKind: createResponseKind(row, isRegistered(row.kind)),
    scope: row.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: row.singular,
    verbs: row.verbs,
    ...unlessEmpty('shortNames', row.shortNames),
    ...unlessEmpty('categories', row.categories),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

/** Built-in kinds omit what the path contains. */
function createResponseKind(row: ResourceInfo, isBuiltin: boolean): JsonObject {
  const { group, version, kind } = row.kind;
  return isForeign(row) || !isBuiltin ? { group, version, kind } : { group: '', version: '', kind };
}
