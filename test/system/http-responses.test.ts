import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Kadmit, startKadmit } from '../harness/start-kadmit.ts';

let server: Kadmit;
let agent: Agent;
beforeAll(async () => {
  server = await startKadmit();
  agent = new Agent({ connect: { ca: server.caPem } });
  const made: readonly [path: string, body: object][] = [
    ['/api/v1/namespaces', { metadata: { name: 'n' } }],
    [`${namespace}/configmaps`, { metadata: { name: 'a', labels: { l: '1' } }, data: { k: 'v' } }],
    [`${namespace}/configmaps`, { metadata: { name: 'b' } }],
    [`${namespace}/configmaps`, { metadata: { name: 'c' } }],
    [deployments, deployment],
  ];
  for (const [path, body] of made) await ask({ method: 'POST', path, body: JSON.stringify(body) });
});
afterAll(async () => {
  await agent.close();
  await server.close();
});

const namespace = '/api/v1/namespaces/n';
const configMaps = `${namespace}/configmaps`;
const deployments = '/apis/apps/v1/namespaces/n/deployments';
const selector = { matchLabels: { a: 'b' } };
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = { metadata: { name: 'd' }, spec: { selector, template } };

interface Question {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly headers: object;
  readonly code: number;
  readonly contentType: unknown;
  readonly body: unknown;
}

async function ask({ method = 'GET', path, headers = {}, body }: Question): Promise<Answer> {
  const answer = await request(server.url + path, {
    method,
    dispatcher: agent,
    headers: { authorization: `Bearer ${server.token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const contentType = answer.headers['content-type'];
  const text = await answer.body.text();
  return {
    code: answer.statusCode,
    headers: answer.headers,
    contentType,
    body: contentType === json ? parsed(text) : text,
  };
}

/** The one document, or those of each line. */
function parsed(text: string): unknown {
  const lines = text.split('\n').filter((line) => line !== '');
  const documents = lines.map((line): unknown => JSON.parse(line));
  return documents.length === 1 ? documents[0] : documents;
}

const json = 'application/json';
const object = (fields: object): object => expect.objectContaining(fields);
const without = (field: string): object => expect.not.objectContaining({ [field]: expect.anything() });
const status = (fields: object): object => object({ kind: 'Status', apiVersion: 'v1', status: 'Failure', ...fields });
const accepting = (accept: string): Pick<Question, 'headers'> => ({ headers: { accept } });
const as = (kind: string): Pick<Question, 'headers'> => accepting(`application/json;as=${kind};v=v1;g=meta.k8s.io`);
const text = (pattern: RegExp): unknown => expect.stringMatching(pattern);

type Row = readonly [fact: string, question: Question, code: number, body: unknown, contentType?: string];

// Source: spec/kubectl.md section 2.2, 2.3
const negotiation: readonly Row[] = [
  [
    'JSON for a client that accepts it after protobuf',
    { path: configMaps, ...accepting('application/vnd.kubernetes.protobuf,application/json') },
    200,
    object({ kind: 'ConfigMapList' }),
  ],
  ['a Table', { path: configMaps, ...as('Table') }, 200, object({ kind: 'Table' })],
  [
    'metadata of a list',
    { path: configMaps, ...as('PartialObjectMetadataList') },
    200,
    object({ kind: 'PartialObjectMetadataList' }),
  ],
  [
    'metadata of a list as of one object',
    { path: configMaps, ...as('PartialObjectMetadata') },
    406,
    status({ reason: 'NotAcceptable' }),
  ],
  // Source: kube-apiserver v1.36.2, whose routes look at the path, then at what is sent, then at what is wanted back.
  [
    'a write whose response the client does not accept',
    { method: 'POST', path: configMaps, ...accepting('text/html'), body: '{"metadata":{"name":"unread"}}' },
    406,
    status({ code: 406, reason: 'NotAcceptable' }),
  ],
  ['which stores nothing', { path: `${configMaps}/unread` }, 404, status({ code: 404, reason: 'NotFound' })],
  [
    'the same to a missing subresource',
    { method: 'PUT', path: `${configMaps}/a/scale`, ...accepting('text/html'), body: '{}' },
    404,
    status({ code: 404, reason: 'NotFound' }),
  ],
  [
    'the same with an unknown type of patch',
    {
      method: 'PATCH',
      path: `${configMaps}/a`,
      headers: { accept: 'text/html', 'content-type': 'application/foo' },
      body: '{}',
    },
    415,
    status({ code: 415, reason: 'UnsupportedMediaType' }),
  ],
  [
    'YAML',
    { path: `${configMaps}/a`, ...accepting('application/yaml') },
    200,
    text(/^apiVersion: v1\n/),
    'application/yaml',
  ],
  [
    'aggregated discovery names its parameters',
    {
      path: '/apis',
      ...accepting('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json'),
    },
    200,
    text(/"APIGroupDiscoveryList"/),
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  ],
  [
    'a body without a Content-Type is JSON',
    { method: 'PUT', path: `${configMaps}/a?dryRun=All`, body: '{"metadata":{"name":"a"}}' },
    200,
    object({ kind: 'ConfigMap' }),
  ],
  [
    'a YAML body',
    {
      method: 'POST',
      path: `${configMaps}?dryRun=All`,
      headers: { 'content-type': 'application/yaml' },
      body: 'metadata: {name: yaml}',
    },
    201,
    object({ kind: 'ConfigMap' }),
  ],
  [
    'a YAML body with a key twice, strict',
    {
      method: 'POST',
      path: `${configMaps}?dryRun=All&fieldValidation=Strict`,
      headers: { 'content-type': 'application/yaml' },
      body: 'metadata: {name: yaml}\ndata: {a: "1", a: "2"}\n',
    },
    400,
    status({
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 2: key "a" already set in map',
    }),
  ],
  [
    'a body of another type',
    { method: 'POST', path: configMaps, headers: { 'content-type': 'text/plain' }, body: 'x' },
    415,
    status({
      reason: 'UnsupportedMediaType',
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    }),
  ],
  [
    'a patch of another type',
    { method: 'PATCH', path: `${configMaps}/a`, headers: { 'content-type': json }, body: '{}' },
    415,
    status({ reason: 'UnsupportedMediaType' }),
  ],
];

const notFound = status({ code: 404, reason: 'NotFound' });
const post = (body: string, path = configMaps): Question => ({
  method: 'POST',
  path,
  headers: { 'content-type': json },
  body,
});
const put = (body: object, path = `${configMaps}/a`): Question => ({ method: 'PUT', path, body: JSON.stringify(body) });

// Source: spec/kubectl.md section 3 and 7.3
const refusals: readonly Row[] = [
  ['an unknown path', { path: '/nothing' }, 404, text(/^404 page not found|paths/), 'text/plain; charset=utf-8'],
  [
    'an unknown group',
    { path: '/apis/x.example.com/v1/things' },
    404,
    '404 page not found\n',
    'text/plain; charset=utf-8',
  ],
  [
    'a resource of a known group',
    { path: '/api/v1/things' },
    404,
    status({ reason: 'NotFound', message: 'the server could not find the requested resource', details: {} }),
  ],
  [
    'another registered kind',
    post('{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x"}}'),
    400,
    status({
      message: text(
        /^Pod in version "v1" cannot be handled as a ConfigMap: converting \(v1\.Pod\) to \(core\.ConfigMap\): unknown conversion$/,
      ),
    }),
  ],
  [
    'an unknown kind',
    post('{"kind":"Foo","apiVersion":"v1"}'),
    400,
    status({
      message: text(
        /^Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "/,
      ),
    }),
  ],
  [
    'a name in use',
    post('{"metadata":{"name":"a"}}'),
    409,
    status({
      reason: 'AlreadyExists',
      message: 'configmaps "a" already exists',
      details: { name: 'a', kind: 'configmaps' },
    }),
  ],
  [
    'a stale resourceVersion',
    put({ metadata: { name: 'd', resourceVersion: '1' }, spec: deployment.spec }, `${deployments}/d`),
    409,
    status({
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on deployments.apps "d": the object has been modified; please apply your changes to the latest version and try again',
    }),
  ],
  [
    'another uid',
    put({ metadata: { name: 'a', uid: 'wrong' } }),
    409,
    status({ message: text(/Precondition failed: UID in precondition: wrong, UID in object meta: /) }),
  ],
  [
    'a method that the resource does not have',
    { method: 'DELETE', path: '/api/v1/namespaces' },
    405,
    status({
      reason: 'MethodNotAllowed',
      message: 'the server does not allow this method on the requested resource',
      details: {},
    }),
  ],
  [
    'an unknown field label',
    { path: `${configMaps}?fieldSelector=data.a=1` },
    400,
    status({ message: text(/"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"/) }),
  ],
  [
    'a wrong token',
    { path: configMaps, headers: { authorization: 'Bearer unknown' } },
    401,
    status({ reason: 'Unauthorized', message: 'Unauthorized' }),
  ],
  [
    'no credentials',
    { path: configMaps, headers: { authorization: '' } },
    403,
    status({
      message:
        'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "n"',
    }),
  ],
  ['a port-forward without an upgrade', { path: `${namespace}/pods/x/portforward` }, 404, notFound],
];

const patch = (type: string, body: string, path = `${deployments}/d`): Question => ({
  method: 'PATCH',
  path: `${path}?fieldValidation=Strict`,
  headers: { 'content-type': `application/${type}` },
  body,
});
const strategic = 'strategic-merge-patch+json';
const merge = 'merge-patch+json';
const jsonPatch = 'json-patch+json';
const invalid = (error: RegExp): object => status({ code: 422, reason: 'Invalid', message: text(error) });

// Source: spec/kubectl.md section 7.4
const patches: readonly Row[] = [
  [
    'strategic: unknown fields by their names, not in the order of the text',
    patch(strategic, '{"spec":{"zork":1,"template":{"spec":{"bogus":1}}},"aaa":1}'),
    422,
    invalid(
      /: strict decoding error: unknown field "aaa", unknown field "spec.template.spec.bogus", unknown field "spec.zork"$/,
    ),
  ],
  [
    'strategic: a text for a number',
    patch(strategic, '{"spec":{"replicas":"2"}}'),
    422,
    invalid(/^ "" is invalid: patch: Invalid value: "map\[spec:map\[replicas:2\]\]": unrecognized type: int32$/),
  ],
  ['strategic: null', patch(strategic, 'null'), 200, object({ kind: 'Deployment' })],
  ['strategic: nothing', patch(strategic, ''), 400, status({ message: 'invalid JSON patch' })],
  [
    'strategic: an unknown directive',
    patch(strategic, '{"spec":{"$patch":"zap"}}'),
    500,
    status({ message: text(/./) }),
  ],
  [
    'merge: a text for a number',
    patch(merge, '{"spec":{"replicas":"2"}}'),
    422,
    invalid(/json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32$/),
  ],
  ['merge: null', patch(merge, 'null'), 400, status({ message: 'Invalid JSON Patch' })],
  [
    'merge: another kind',
    patch(merge, '{"kind":"Foo"}'),
    422,
    invalid(/no kind "Foo" is registered for version "apps\/v1" in scheme "/),
  ],
  ['JSON: no operations', patch(jsonPatch, '[]'), 200, object({ kind: 'Deployment' })],
  [
    'JSON: an unknown key',
    patch(jsonPatch, '[{"op":"test","path":"/kind","value":"Deployment","zork":1}]'),
    422,
    invalid(/json patch unknown field "\[0\].zork"/),
  ],
  ['a missing object', patch(merge, '{}', `${deployments}/x`), 404, notFound],
];

const rv = (value: string): string => `${configMaps}?resourceVersion=${value}`;

// Source: spec/kubectl.md section 8.1
const lists: readonly Row[] = [
  [
    'items have no kind',
    { path: `${configMaps}?fieldSelector=metadata.name=a` },
    200,
    object({
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      items: [without('kind')],
    }),
  ],
  [
    'a page counts the items that follow',
    { path: `${configMaps}?limit=1` },
    200,
    object({ metadata: object({ continue: text(/.+/), remainingItemCount: 2 }), items: [expect.anything()] }),
  ],
  [
    'a page of a selector does not',
    { path: `${configMaps}?limit=1&labelSelector=!x` },
    200,
    object({ metadata: without('remainingItemCount') }),
  ],
  [
    'a future version',
    { path: rv('999999&timeoutSeconds=1') },
    504,
    status({
      reason: 'Timeout',
      message: text(/^Timeout: Too large resource version: 999999, current: \d+$/),
      details: object({ causes: [object({ reason: 'ResourceVersionTooLarge' })], retryAfterSeconds: 1 }),
    }),
  ],
  ['a broken token', { path: `${configMaps}?continue=x` }, 400, status({ reason: 'BadRequest' })],
];

const watch = (query: string): Question => ({ path: `${configMaps}?watch=1&timeoutSeconds=1&${query}` });
const added = (name: string): object => object({ type: 'ADDED', object: object({ metadata: object({ name }) }) });
const bookmark = object({
  type: 'BOOKMARK',
  object: {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { resourceVersion: text(/^\d+$/), annotations: { 'k8s.io/initial-events-end': 'true' } },
  },
});
const tableEvent = (definitions: unknown, cells: readonly unknown[]): object =>
  object({
    type: 'ADDED',
    object: object({ kind: 'Table', columnDefinitions: definitions, rows: [object({ cells })] }),
  });

// Source: spec/kubectl.md section 8.2
const watches: readonly Row[] = [
  ['existing objects first', watch(''), 200, [added('a'), added('b'), added('c')]],
  ['the objects that a selector matches', watch('labelSelector=l=1'), 200, added('a')],
  [
    'the end of the existing objects',
    watch('labelSelector=l=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true'),
    200,
    [added('a'), bookmark],
  ],
  [
    'existing objects, of a version that does not come',
    watch('sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=999999'),
    200,
    object({ type: 'ERROR', object: status({ code: 504, reason: 'Timeout' }) }),
  ],
  [
    'an invalid version',
    watch('resourceVersion=abc'),
    500,
    status({ message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax' }),
  ],
  [
    'the deprecated path',
    { path: '/api/v1/watch/namespaces/n/configmaps?timeoutSeconds=1&labelSelector=l=1' },
    200,
    added('a'),
  ],
  [
    'a Table defines its columns once',
    { ...watch('fieldSelector=metadata.name!=a'), ...as('Table') },
    200,
    [tableEvent(expect.any(Array), ['b', 0, expect.anything()]), tableEvent(null, ['c', 0, expect.anything()])],
  ],
  [
    'metadata',
    { ...watch('labelSelector=l=1'), ...as('PartialObjectMetadata') },
    200,
    object({ type: 'ADDED', object: object({ kind: 'PartialObjectMetadata' }) }),
  ],
];

const auditId = { 'audit-id': text(/^[0-9a-f-]{36}$/), 'cache-control': 'no-cache, private' };

// Source: apiserver pkg/endpoints/filters, pkg/server/filters; spec/kubectl.md section 2
const headers: readonly (readonly [fact: string, question: Question, headers: object])[] = [
  ['every response has an id and is not cached', { path: configMaps }, auditId],
  ['a refusal too', { path: '/api/v1/things' }, auditId],
  ['the client’s own id is kept', { path: configMaps, headers: { 'audit-id': 'mine' } }, { 'audit-id': 'mine' }],
  [
    'warnings',
    post('{"metadata":{"name":"w"},"zork":1}', `${configMaps}?dryRun=All`),
    { warning: '299 - "unknown field \\"zork\\""' },
  ],
  ['when to retry', { path: rv('999999&timeoutSeconds=1') }, { 'retry-after': '1' }],
  ['health is not sniffed', { path: '/healthz' }, { 'x-content-type-options': 'nosniff' }],
  [
    'aggregated discovery has a tag and varies',
    { path: '/apis', ...accepting('application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList') },
    { etag: text(/^"[0-9A-F]+"$/i), vary: 'Accept' },
  ],
  ['a watch is chunked', { path: `${configMaps}?watch=1&timeoutSeconds=1` }, { 'transfer-encoding': 'chunked' }],
];

test.for(headers)('headers: %s', async ([, question, expected]) => {
  expect((await ask(question)).headers).toEqual(object(expected));
});

test.for([...negotiation, ...refusals, ...patches, ...lists])('%s', async ([, question, code, body, contentType]) => {
  expect(await ask(question)).toEqual(object({ code, contentType: contentType ?? json, body }));
});

test.concurrent.for(watches)('a watch: %s', async ([, question, code, body], { expect }) => {
  expect(await ask(question)).toEqual(object({ code, contentType: json, body }));
});
