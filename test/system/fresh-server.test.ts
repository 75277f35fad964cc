import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asObject, asString, isJsonObject, type JsonValue } from '../../src/machinery/json/json.ts';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';

let server: Kadmit;
let agent: Agent;
beforeAll(async () => {
  server = await startKadmit();
  agent = new Agent({ connect: { ca: server.caPem } });
});
afterAll(async () => {
  await agent.destroy();
  await server.close();
});

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';

// Source: test/facts/fresh-server, recorded from kube-apiserver v1.37.2 that had just started, without other components.
test.each([
  ['apis', '/apis', 'application/json'],
  ['aggregated-api', '/api', aggregated],
  ['aggregated-apis', '/apis', aggregated],
  ['apiservices', '/apis/apiregistration.k8s.io/v1/apiservices', 'application/json'],
  ['clusterrolebindings', `${rbac}/clusterrolebindings`, 'application/json'],
  ['clusterroles', `${rbac}/clusterroles`, 'application/json'],
  ['flowschemas', `${flowControl}/flowschemas`, 'application/json'],
  ['namespaces', '/api/v1/namespaces', 'application/json'],
  ['priorityclasses', '/apis/scheduling.k8s.io/v1/priorityclasses', 'application/json'],
  ['prioritylevelconfigurations', `${flowControl}/prioritylevelconfigurations`, 'application/json'],
  ['rolebindings', `${rbac}/rolebindings`, 'application/json'],
  ['roles', `${rbac}/roles`, 'application/json'],
  ['services', '/api/v1/services', 'application/json'],
])('%s of a fresh server', async (name, path, accept) => {
  const text = (value: JsonValue): string => JSON.stringify(withoutFreeFields(value), null, 1);
  expect(text(await get(path, accept))).toBe(text(recorded(name)));
});

test('a fresh server has the paths of kube-apiserver but those of its parts that kadmit does not have', async () => {
  const [own, upstream] = [await get('/', 'application/json'), recorded('root')].map(pathsIn);
  expect(own?.filter((path) => !upstream?.includes(path))).toEqual([]);
  const missing = upstream?.filter((path) => !own?.includes(path) && !path.includes('/poststarthook/'));
  expect(missing).toEqual([
    '/flagz',
    '/healthz/autoregister-completion',
    '/healthz/loopback-serving-certificate',
    '/livez/autoregister-completion',
    '/livez/loopback-serving-certificate',
    '/metrics/slis',
    '/readyz/autoregister-completion',
    '/statusz',
  ]);
});

const undescribed = new Set(['description', 'enum', 'x-kubernetes-unions']);

/** A definition without its texts; `enum` depends on a feature gate that the published document has off. */
function structure(value: JsonValue, isProperties = false): JsonValue {
  if (Array.isArray(value)) return value.map((one) => structure(one));
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value)
    .filter(([name]) => isProperties || !undescribed.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, one = null]) => [name, structure(one, name === 'properties')]));
}

// Source: the first 12 digits of the SHA-256 of each definition in kubernetes api/openapi-spec/swagger.json of v1.37.2.
test('the types of OpenAPI are those that 1.37 publishes', async () => {
  const upstream = asObject(recorded('openapi-definitions'));
  const definitions = Object.entries(asObject(asObject(await get('/openapi/v2', 'application/json'))['definitions']));
  const hash = (value: JsonValue): string =>
    createHash('sha256')
      .update(JSON.stringify(structure(value)))
      .digest('hex')
      .slice(0, 12);
  const different = definitions.filter(([name, type = null]) => hash(type) !== upstream[name]).map(([name]) => name);
  expect(different).toEqual([
    'io.k8s.api.core.v1.NodeProxyOptions',
    'io.k8s.api.core.v1.PodAttachOptions',
    'io.k8s.api.core.v1.PodExecOptions',
    'io.k8s.api.core.v1.PodPortForwardOptions',
    'io.k8s.api.core.v1.PodProxyOptions',
    'io.k8s.api.core.v1.ServiceProxyOptions',
    'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  ]);
});

const recorded = (name: string): JsonValue => JSON.parse(readFileSync(`test/facts/fresh-server/${name}.json`, 'utf8'));

async function get(path: string, accept: string): Promise<JsonValue> {
  const headers = { authorization: `Bearer ${server.token}`, accept };
  const answer = await request(server.url + path, { dispatcher: agent, headers });
  return JSON.parse(await answer.body.text());
}

const pathsIn = (document: JsonValue): readonly string[] => {
  const { paths } = asObject(document);
  return Array.isArray(paths) ? paths.map(String) : [];
};

/** Fields that differ from run to run (`targetPort` is the port of the server), and managed fields, which kadmit does not seed. */
const free = new Set([
  'managedFields',
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'lastTransitionTime',
  'targetPort',
]);

/** Aggregated by a controller, which the recorded server did not have; kadmit starts with them aggregated. */
const aggregatedRoles = new Set(['admin', 'edit', 'view']);

function withoutFreeFields(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutFreeFields);
  if (!isJsonObject(value)) return value;
  const isAggregated = aggregatedRoles.has(asString(asObject(value['metadata'])['name']));
  const fields = Object.entries(value).filter(([name]) => !free.has(name) && !(isAggregated && name === 'rules'));
  return Object.fromEntries(fields.map(([name, one = null]) => [name, withoutFreeFields(one)]));
}
