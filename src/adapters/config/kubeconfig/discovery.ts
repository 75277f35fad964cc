import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';
import { ConfigError } from '../config-error.ts';
import { suggestion } from '../../../machinery/nearest-name.ts';
import { callServer, messageIn, type ServerAccess } from './call-server.ts';

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

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** All resources of a server, core ones first. Throws ConfigError when it is unreachable. */
export async function fetchResources(access: ServerAccess): Promise<readonly DiscoveredResource[]> {
  const lists = await Promise.all(['/api', '/apis'].map((path) => fetchGroups(access, path)));
  return lists.flat().flatMap(resourcesOfGroup);
}

async function fetchGroups(access: ServerAccess, path: string): Promise<readonly JsonObject[]> {
  const { code, text } = await callServer(access, { method: 'GET', path, accept: aggregated });
  if (code !== 200) throw new ConfigError(messageIn(text));
  const list: JsonValue = JSON.parse(text);
  return asList(asObject(list)['items']).map(asObject);
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

/**
 * Resolves a word as kubectl does: `pods`, `pod`, `po`, `deployments.apps`, `deploy.v1.apps`. Throws ConfigError for
 * an unknown one.
 */
export function namedResource<Known extends KnownResource>(word: string, known: readonly Known[]): Known {
  const [name = '', ...rest] = word.toLowerCase().split('.');
  const qualified = rest.join('.');
  const found = known.find(
    (one) =>
      namesOf(one).includes(name) &&
      (qualified === '' || qualified === one.group || qualified === `${one.version}.${one.group}`),
  );
  if (found) return found;
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
