import { metadataOf, type KubernetesObject } from '../../machinery/meta/object.ts';
import type { LiveCatalogue } from '../../api/types/catalogue/create-catalogue.ts';
import type { ClusterCache } from '../storage/cluster-cache.ts';
import {
  definitionResource,
  acceptedNames,
  definitionGroup,
  hasStatus,
  isNamespaced,
  isConditionTrue,
  type Names,
  scalePathsOf,
  storageVersionOf,
  versionsOf,
} from './definition.ts';
import type { LazyEngine, CrdEngine } from './engine.ts';
import type { ForeignOpenapi } from '../../api/types/openapi/own-openapi.ts';
import { hashText } from '../../api/types/openapi/openapi-general.ts';
import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { once } from '../../machinery/once.ts';
import { sha256 } from '../../machinery/sha256.ts';
import type { CustomRow } from './custom-codec.ts';

/** Serves existing definitions of an older cluster; loads the engine. */
export async function serveDefinitions(
  cluster: ClusterCache,
  catalogue: LiveCatalogue,
  engine: LazyEngine,
): Promise<void> {
  await engine.load();
  for (const definition of cluster.list(definitionResource)) {
    const rows = createRows(definition, engine.get());
    if (rows.length > 0) catalogue.put(metadataOf(definition).name ?? '', rows);
  }
}

/** Keeps the catalogue in step with stored definitions, before the next request. */
export function followDefinitions(cluster: ClusterCache, catalogue: LiveCatalogue, engine: LazyEngine): void {
  cluster.watch(definitionResource, cluster.revision(), ({ type, object }) => {
    const { name = '' } = metadataOf(object);
    const rows = type === 'removed' ? [] : createRows(object, engine.get());
    if (rows.length === 0) catalogue.remove(name);
    else catalogue.put(name, rows);
  });
}

const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const verbsWhenTerminating = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

/** Empty before the names are accepted. */
export function createRows(definition: KubernetesObject, engine: CrdEngine): readonly CustomRow[] {
  if (!isConditionTrue(definition, 'NamesAccepted') && !isConditionTrue(definition, 'Established')) return [];
  const group = definitionGroup(definition);
  const names = acceptedNames(definition);
  const storage = { group, version: storageVersionOf(definition), resource: names.plural, kind: names.kind };
  const all: Shared = {
    engine,
    names,
    storage,
    storageVersionHash: storageVersionHash(storage),
    verbs: isConditionTrue(definition, 'Terminating') ? verbsWhenTerminating : verbs,
  };
  return versionsOf(definition)
    .filter(({ served }) => served === true)
    .flatMap((version) => createVersionRows(definition, version, all));
}

/** Common to all versions. */
interface Shared {
  readonly engine: CrdEngine;
  readonly names: Names;
  readonly storage: CustomRow['storage'];
  readonly storageVersionHash: string;
  readonly verbs: readonly string[];
}

function createVersionRows(
  definition: KubernetesObject,
  version: JsonObject,
  { engine, names, storage, ...shared }: Shared,
): readonly CustomRow[] {
  const { group } = storage;
  const kind: GroupVersionKind = { group, version: asString(version['name']), kind: names.kind };
  const common = {
    group,
    version: kind.version,
    resource: names.plural,
    namespaced: isNamespaced(definition),
    storage,
    listKind: names.listKind,
    selectableFields: selectableFieldsOf(version),
    custom: { definition, version, engine },
    // Served once names are accepted, published once established. Follows apiextensions-apiserver
    // pkg/apiserver/customresource_discovery_controller.go and pkg/controller/openapi{,v3}/controller.go.
    ...(isConditionTrue(definition, 'Established')
      ? { openapi: openapiOf(definition, version, engine) }
      : { unlisted: true as const }),
  };
  const main: CustomRow = {
    ...common,
    subresource: '',
    kind,
    singular: names.singular,
    shortNames: names.shortNames,
    categories: names.categories,
    ...shared,
  };
  const sub = (subresource: string, ofKind: GroupVersionKind): CustomRow => ({
    ...common,
    subresource,
    kind: ofKind,
    singular: '',
    shortNames: [],
    categories: [],
    verbs: subresourceVerbs,
  });
  return [
    main,
    ...(hasStatus(version) ? [sub('status', kind)] : []),
    ...(scalePathsOf(version) ? [sub('scale', scaleKind)] : []),
  ];
}

const selectableFieldsOf = (version: JsonObject): readonly string[] =>
  asList(version['selectableFields']).map((field) => asString(asObject(field)['jsonPath']).replace(/^\./, ''));

const openapiOf = (definition: KubernetesObject, version: JsonObject, engine: CrdEngine): ForeignOpenapi => ({
  hash: once(() => openapiHash(definition, version)),
  v3: () => engine.openapiV3(definition, asString(version['name'])),
  v2: () => engine.openapiV2(definition, asString(version['name'])),
});

const scaleKind: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

/** Increase this when the published documents change. */
const edition = 4;

/** Of 16: hashing long schemas takes time. */
const shortParts = 4;

/** Identifies the published document without creating it. */
function openapiHash(definition: KubernetesObject, version: JsonObject): string {
  const { group, scope, names } = asObject(definition['spec']);
  return hashText(JSON.stringify([edition, hashText(JSON.stringify(version), shortParts), group, scope, names]));
}

/** The beginning of a SHA-256. Follows apiserver pkg/endpoints/discovery/storageversionhash.go. */
export function storageVersionHash({ group, version, kind }: GroupVersionKind): string {
  const [high = 0, low = 0] = sha256(new TextEncoder().encode(`${group}/${version}/${kind}`));
  const bytes = [high, low].flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 0xff));
  return btoa(String.fromCharCode(...bytes));
}
