import { asList, asObject, asString, type JsonObject } from '../../../machinery/json/json.ts';
import { type GroupVersionKind, parseApiVersion } from '../../../machinery/meta/gvk.ts';
import { ConfigError } from '../config-error.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import { callServer, messageIn, objectIn, type ServerAccess } from './call-server.ts';

export interface KnownResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Singular and short names. */
  readonly otherNames: readonly string[];
}

export interface DiscoveredResource extends KnownResource {
  readonly verbs: readonly string[];
  /** Whether it has a status subresource. */
  readonly hasStatus: boolean;
}

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/** Throws ConfigError when the server is unreachable or refuses. */
export const fetchResources = (access: ServerAccess): Promise<readonly DiscoveredResource[]> =>
  discoverResources(async (path, accept) => {
    const { code, text } = await callServer(access, { method: 'GET', path, accept });
    if (code !== 200) throw new ConfigError(messageIn(text));
    return objectIn(text);
  });

/** `{}` when the server has none. */
type GetDocument = (path: string, accept: string) => Promise<JsonObject>;

/**
 * All resources of a server, core ones first, preferred versions first. Servers before 1.27 have no aggregated discovery: one
 * request per group.
 */
export async function discoverResources(get: GetDocument): Promise<readonly DiscoveredResource[]> {
  const documents = await Promise.all(['/api', '/apis'].map((path) => get(path, aggregated)));
  if (documents.every(({ kind }) => kind === 'APIGroupDiscoveryList'))
    return documents.flatMap(({ items }) => asList(items).map(asObject)).flatMap(resourcesOfGroup);
  const paths = ['/api/v1', ...groupPaths(await get('/apis', 'application/json'))];
  const lists = await Promise.all(paths.map((path) => get(path, 'application/json')));
  return lists.flatMap(resourcesOfList);
}

const resourcesOfGroup = (group: JsonObject): readonly DiscoveredResource[] =>
  asList(group['versions'])
    .map(asObject)
    .flatMap(({ version, resources }) =>
      asList(resources)
        .map(asObject)
        .map((resource): DiscoveredResource => ({
          group: asString(asObject(group['metadata'])['name']),
          version: asString(version),
          resource: asString(resource['resource']),
          kind: asString(asObject(resource['responseKind'])['kind']),
          namespaced: resource['scope'] === 'Namespaced',
          verbs: asList(resource['verbs']).map(asString),
          hasStatus: asList(resource['subresources']).some((one) => asObject(one)['subresource'] === 'status'),
          otherNames: [asString(resource['singularResource']), ...asList(resource['shortNames']).map(asString)],
        })),
    );

const groupPaths = (groups: JsonObject): readonly string[] =>
  asList(groups['groups']).flatMap((group) =>
    asList(asObject(group)['versions']).map((version) => `/apis/${asString(asObject(version)['groupVersion'])}`),
  );

function resourcesOfList(list: JsonObject): readonly DiscoveredResource[] {
  const { group, version } = parseApiVersion(asString(list['groupVersion']));
  const entries = asList(list['resources']).map(asObject);
  const names = new Set(entries.map(({ name }) => asString(name)));
  return entries
    .filter(({ name }) => !asString(name).includes('/'))
    .map(({ name, kind, namespaced, singularName, shortNames, verbs }) => ({
      group,
      version,
      resource: asString(name),
      kind: asString(kind),
      namespaced: namespaced === true,
      verbs: asList(verbs).map(asString),
      hasStatus: names.has(`${asString(name)}/status`),
      otherNames: [asString(singularName), ...asList(shortNames).map(asString)],
    }));
}

/** The resource of a kind in exactly this version. */
export const resourceForKind = <Known extends KnownResource>(
  { group, version, kind }: GroupVersionKind,
  known: readonly Known[],
): Known | undefined => known.find((one) => one.group === group && one.version === version && one.kind === kind);

/** kubectl's order: plural, then singular or kind, then short name. */
const namings: readonly ((resource: KnownResource) => readonly string[])[] = [
  ({ resource }) => [resource],
  ({ otherNames: [singular = ''], kind }) => [singular, kind.toLowerCase()],
  ({ otherNames: [, ...shortNames] }) => shortNames,
];

/** As kubectl resolves a word: `pods`, `pod`, `po`, `deployments.apps`, `deploy.v1.apps`. */
export function findResource<Known extends KnownResource>(word: string, known: readonly Known[]): Known | undefined {
  const wanted = word.toLowerCase();
  const isNamed = (name: string, { group, version }: KnownResource): boolean =>
    name !== '' && [name, `${name}.${group}`, `${name}.${version}.${group}`].includes(wanted);
  return namings
    .map((namesOf) => known.find((one) => namesOf(one).some((name) => isNamed(name, one))))
    .find((match) => match !== undefined);
}

/** As findResource; throws ConfigError for an unknown word. */
export function namedResource<Known extends KnownResource>(word: string, known: readonly Known[]): Known {
  const resource = findResource(word, known);
  if (resource) return resource;
  const [name = ''] = word.toLowerCase().split('.');
  const near = suggestion(name, [...new Set(known.flatMap(namesOf))]);
  throw new ConfigError(`there is no resource ${JSON.stringify(word)} on this server${near}`);
}

const namesOf = ({ resource, kind, otherNames }: KnownResource): readonly string[] => [
  resource,
  ...otherNames,
  kind.toLowerCase(),
];

/** `deployments.apps`. */
export const qualifiedResourceName = ({ group, resource }: Pick<KnownResource, 'group' | 'resource'>): string =>
  group === '' ? resource : `${resource}.${group}`;
