import { type GroupVersionKind, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import type { WorldResource } from '../world.ts';

export interface TargetResource extends WorldResource {
  readonly singular: string;
  readonly shortNames: readonly string[];
}

/** `{}` when the server has none. */
export type GetDocument = (path: string, accept: string) => Promise<JsonObject>;

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Preferred versions first. Servers before 1.27 have no aggregated discovery: one request per group. */
export async function discover(get: GetDocument): Promise<readonly TargetResource[]> {
  const documents = await Promise.all(['/api', '/apis'].map((path) => get(path, aggregated)));
  if (documents.every(({ kind }) => kind === 'APIGroupDiscoveryList')) return documents.flatMap(fromAggregated);
  const paths = ['/api/v1', ...groupPaths(await get('/apis', 'application/json'))];
  const lists = await Promise.all(paths.map((path) => get(path, 'application/json')));
  return lists.flatMap(fromList);
}

const fromAggregated = (document: JsonObject): readonly TargetResource[] =>
  asList(document['items']).flatMap((item) => {
    const { metadata, versions } = asObject(item);
    const group = asString(asObject(metadata)['name']);
    return asList(versions).flatMap((one) => {
      const version = asString(asObject(one)['version']);
      return asList(asObject(one)['resources']).map((resource) =>
        aggregatedResource(group, version, asObject(resource)),
      );
    });
  });

const aggregatedResource = (group: string, version: string, entry: JsonObject): TargetResource => ({
  group,
  version,
  kind: asString(asObject(entry['responseKind'])['kind']),
  resource: asString(entry['resource']),
  namespaced: entry['scope'] === 'Namespaced',
  singular: asString(entry['singularResource']),
  shortNames: strings(entry['shortNames']),
});

const groupPaths = (groups: JsonObject): readonly string[] =>
  asList(groups['groups']).flatMap((group) =>
    asList(asObject(group)['versions']).map((version) => `/apis/${asString(asObject(version)['groupVersion'])}`),
  );

function fromList(list: JsonObject): readonly TargetResource[] {
  const { group, version } = parseApiVersion(asString(list['groupVersion']));
  return asList(list['resources']).flatMap((entry) => {
    const { name, kind, namespaced, singularName, shortNames } = asObject(entry);
    const resource = asString(name);
    if (resource.includes('/')) return [];
    const names = { singular: asString(singularName), shortNames: strings(shortNames) };
    return [{ group, version, kind: asString(kind), resource, namespaced: namespaced === true, ...names }];
  });
}

const strings = (value: JsonValue | undefined): readonly string[] => asList(value).map(asString);

export const resourceFor = (
  resources: readonly TargetResource[],
  { group, version, kind }: GroupVersionKind,
): TargetResource | undefined =>
  resources.find((one) => one.group === group && one.version === version && one.kind === kind);

/** kubectl's order: plural, then singular or kind, then short name. */
const namings: readonly ((resource: TargetResource) => readonly string[])[] = [
  ({ resource }) => [resource],
  ({ singular, kind }) => [singular, kind.toLowerCase()],
  ({ shortNames }) => shortNames,
];

/** As kubectl resolves a word; `deployments.apps` and `deployments.v1.apps` name the group. */
export function resourceNamed(resources: readonly TargetResource[], word: string): TargetResource | undefined {
  const wanted = word.toLowerCase();
  const isWanted = (name: string, { group, version }: TargetResource): boolean =>
    name !== '' && [name, `${name}.${group}`, `${name}.${version}.${group}`].includes(wanted);
  return namings
    .map((namesOf) => resources.find((one) => namesOf(one).some((name) => isWanted(name, one))))
    .find((found) => found !== undefined);
}
