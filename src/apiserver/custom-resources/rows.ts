import type { GroupVersionKind } from '../../machinery/meta/gvk.ts';
import { asList, asObject, asString } from '../../machinery/json/json.ts';
import type { JsonObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import { once } from '../../machinery/once.ts';
import type { OwnOpenapi } from '../../api/types/openapi/own-openapi.ts';
import type { CustomRow } from './custom-row.ts';
import {
  acceptedNames,
  groupOf,
  hasStatus,
  isNamespaced,
  isTrue,
  scalePathsOf,
  storageVersionOf,
  versionsOf,
} from './definition.ts';
import type { Names } from './definition.ts';
import type { CrdEngine } from './engine.ts';
import { openapiHash } from './openapi-hash.ts';
import { storageVersionHash } from './storage-version-hash.ts';

/** In the order in which upstream lists them. Follows apiextensions-apiserver pkg/apiserver/customresource_discovery_controller.go. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const verbsWhenTerminating = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

/** What a stored definition lets be served: nothing before its names are accepted. */
export function rowsOf(definition: KubernetesObject, engine: CrdEngine): readonly CustomRow[] {
  if (!isTrue(definition, 'NamesAccepted') && !isTrue(definition, 'Established')) return [];
  const group = groupOf(definition);
  const names = acceptedNames(definition);
  const storage = { group, version: storageVersionOf(definition), resource: names.plural, kind: names.kind };
  const all: Shared = {
    engine,
    names,
    storage,
    storageVersionHash: storageVersionHash(storage),
    verbs: isTrue(definition, 'Terminating') ? verbsWhenTerminating : verbs,
  };
  return versionsOf(definition)
    .filter(({ served }) => served === true)
    .flatMap((version) => rowsOfVersion(definition, version, all));
}

/** What all versions have in common. */
interface Shared {
  readonly engine: CrdEngine;
  readonly names: Names;
  readonly storage: CustomRow['storage'];
  readonly storageVersionHash: string;
  readonly verbs: readonly string[];
}

function rowsOfVersion(
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
    // What is not established is served once its names are accepted, but published nowhere. Follows apiextensions-apiserver
    // pkg/apiserver/customresource_discovery_controller.go and pkg/controller/openapi{,v3}/controller.go.
    ...(isTrue(definition, 'Established')
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

const openapiOf = (definition: KubernetesObject, version: JsonObject, engine: CrdEngine): OwnOpenapi => ({
  hash: once(() => openapiHash(definition, version)),
  v3: () => engine.openapiV3(definition, asString(version['name'])),
  v2: () => engine.openapiV2(definition, asString(version['name'])),
});

const scaleKind: GroupVersionKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
