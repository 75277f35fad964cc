import { expect, test } from 'vitest';
import { nodeDocuments as platform } from '../../../src/app/in-process/node-platform.ts';
import { createDocuments } from '../../../src/adapters/http/documents.ts';
import type { ApiRequest, ApiResponse } from '../../../src/apiserver/request/api-request.ts';
import type { ResourceInfo } from '../../../src/api/types/catalogue/catalogue.ts';
import { createCatalogue } from '../../../src/api/types/catalogue/create-catalogue.ts';
import { hashOpenapi } from '../../../src/api/types/openapi/openapi.ts';
import { textOf } from '../../harness/world-answer.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const row = (group: string, version: string, resource: string): ResourceInfo => ({
  group,
  version,
  resource,
  subresource: '',
  namespaced: true,
  kind: { group, version, kind: 'Thing' },
  singular: 'thing',
  shortNames: [],
  categories: [],
  verbs: ['get'],
  storage: { group, version, resource, kind: 'Thing' },
});

const catalogue = createCatalogue(recordedRelease.types, [row('', 'v1', 'pods'), row('apps', 'v1', 'deployments')]);
const serve = createDocuments({
  platform,
  catalogue,
  now: () => Date.UTC(2026, 0, 1),
  serverAddress: () => '127.0.0.1:6443',
});

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const aggregatedBeta = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const etag = async (path: string): Promise<string> => {
  const answer = await ask(path, accept(aggregated));
  return answer?.type === 'document' ? String(answer.headers?.['etag']) : '';
};

const ask = async (
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<ApiResponse | undefined> => serve(requestOf(path, headers, method));

function requestOf(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): ApiRequest {
  const [bare = '', query] = path.split('?');
  return {
    method,
    path: bare,
    query: new URLSearchParams(query),
    headers,
    body: new Uint8Array(),
    certificate: undefined,
    auditId: '',
    receivedAt: 0,
    signal: () => new AbortController().signal,
  };
}

const accept = (value: string): Readonly<Record<string, string>> => ({ accept: value });
const is = (kind: string): object => ({ type: 'object', code: 200, body: { kind } });
const resources = (groupVersion: string): object => ({
  type: 'object',
  body: { kind: 'APIResourceList', groupVersion },
});
const json = 'application/json';
const appsHash = hashOpenapi(catalogue, 'apis/apps/v1');
const plain = 'text/plain; charset=utf-8';

// Source: spec/kubectl.md sections 3 and 4; a real kube-apiserver 1.36.2.
const facts: readonly [fact: string, answer: Promise<ApiResponse | undefined>, expected: object | undefined][] = [
  ['/api lists the versions of the core group', ask('/api'), is('APIVersions')],
  ['a slash at the end does not matter', ask('/api/'), is('APIVersions')],
  ['/apis lists the groups', ask('/apis'), is('APIGroupList')],
  ['/api/v1 lists resources', ask('/api/v1'), resources('v1')],
  ['/apis/G is a group', ask('/apis/apps'), is('APIGroup')],
  ['/apis/G/V lists resources', ask('/apis/apps/v1'), resources('apps/v1')],
  ['an unknown group is not served', ask('/apis/nope'), undefined],
  ['so is an unknown version', ask('/apis/apps/v9'), undefined],
  ['and one of the core group', ask('/api/v2'), undefined],
  ['and a deeper path', ask('/api/v1/pods'), undefined],
  ['what a group serves is read only', ask('/apis/apps/v1', {}, 'POST'), { type: 'status', status: { code: 405 } }],
  ['the aggregator answers any method with the groups', ask('/apis', {}, 'POST'), is('APIGroupList')],
  [
    'aggregated discovery for who asks first',
    ask('/apis', accept(`${aggregated},${aggregatedBeta},application/json`)),
    { code: 200, contentType: aggregated, headers: { vary: 'Accept', 'cache-control': 'public' } },
  ],
  ['on /api too', ask('/api', accept(aggregated)), { body: expect.stringMatching(/"resource":"pods".*\n$/) }],
  ['v2beta1 has gone: the legacy list', ask('/apis', accept(`${aggregatedBeta},application/json`)), is('APIGroupList')],
  ['a preferred JSON is the legacy list', ask('/apis', accept(`application/json,${aggregated}`)), is('APIGroupList')],
  [
    'known content is not sent again',
    ask('/apis', {
      ...accept(aggregated),
      'if-none-match': await etag('/apis'),
    }),
    { code: 304, body: '' },
  ],
  ['groups are not aggregated', ask('/apis/apps', accept(`${aggregated},application/json`)), is('APIGroup')],
  ['/healthz', ask('/healthz'), { code: 200, contentType: plain, body: 'ok' }],
  ['/livez', ask('/livez'), { code: 200, body: 'ok' }],
  ['/readyz', ask('/readyz'), { code: 200, body: 'ok' }],
  ['one check', ask('/readyz/ping'), { code: 200, body: 'ok' }],
  ['an unknown check', ask('/readyz/nope'), undefined],
  [
    'verbose',
    ask('/livez?verbose&exclude=log'),
    { body: '[+]ping ok\n[+]log excluded: ok\n[+]etcd ok\nlivez check passed\n' },
  ],
  [
    'checks that are not there cannot be left out',
    ask('/livez?verbose&exclude=z&exclude=ping&exclude=b'),
    {
      body: '[+]ping excluded: ok\n[+]log ok\n[+]etcd ok\nwarn: some health checks cannot be excluded: no matches for "b","z"\nlivez check passed\n',
    },
  ],
  [
    '/version',
    ask('/version'),
    { code: 200, contentType: json, body: expect.stringContaining('"gitVersion": "v1.36.2"') },
  ],
  ['/version is read only', ask('/version', {}, 'PUT'), { status: { code: 405 } }],
  ['not even a HEAD request', ask('/version', {}, 'HEAD'), { status: { code: 405 } }],
  [
    '/version is JSON',
    ask('/version', accept('text/html')),
    { status: { code: 406, message: '406: Not Acceptable\n\nAvailable representations: application/json' } },
  ],
  ['or whatever is taken', ask('/version', accept('*/*')), { code: 200, contentType: json }],
  [
    '/openapi/v3 names every document with its hash',
    ask('/openapi/v3'),
    {
      code: 200,
      contentType: plain,
      body: expect.stringContaining(`"apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=${appsHash}"}`),
    },
  ],
  [
    'a document with its hash never changes',
    ask(`/openapi/v3/apis/apps/v1?hash=${appsHash}`),
    {
      code: 200,
      contentType: json,
      headers: {
        etag: `"${appsHash}"`,
        'cache-control': 'public, immutable',
        expires: 'Fri, 01 Jan 2027 00:00:00 GMT',
      },
    },
  ],
  [
    'without a hash it may',
    ask('/openapi/v3/apis/apps/v1'),
    { code: 200, headers: { 'cache-control': 'no-cache, private' } },
  ],
  [
    'an old hash redirects to the new one',
    ask('/openapi/v3/apis/apps/v1?hash=OLD'),
    { code: 301, headers: { location: `/openapi/v3/apis/apps/v1?hash=${appsHash}` } },
  ],
  [
    'the core group’s',
    ask('/openapi/v3/api/v1', accept(json)),
    { code: 200, body: expect.stringContaining('"/api/v1/namespaces/{namespace}/pods/{name}"') },
  ],
  ['an unknown one', ask('/openapi/v3/apis/nope/v1'), { code: 404, body: '' }],
  ['one of the core group under the wrong root', ask('/openapi/v3/apis/v1'), { code: 404, body: '' }],
  [
    'as protobuf',
    ask('/openapi/v3/api/v1', accept('application/com.github.proto-openapi.spec.v3@v1.0+protobuf')),
    { code: 406 },
  ],
  ['/metrics is not served here', ask('/metrics'), undefined],
  ['an unknown path is not served', ask('/nosuch'), undefined],
  ['a name every object has is no path', ask('/constructor'), undefined],
];

test.each(facts)('%s', async (_fact, asked, expected) => {
  const given = await asked;
  const answer = given?.type === 'document' ? { ...given, body: textOf(given.body) } : given;
  expect({ answer }).toMatchObject({ answer: expected });
});

test('/ lists every path once, in order', async () => {
  const answer = await ask('/');
  const { paths } = JSON.parse(answer?.type === 'document' ? textOf(answer.body) : '{}');
  expect(paths).toEqual([...new Set<string>(paths)].toSorted((a, b) => (a < b ? -1 : 1)));
  expect(paths).toEqual(
    expect.arrayContaining([
      '/api',
      '/api/v1',
      '/apis/apps',
      '/apis/apps/v1',
      '/healthz/ping',
      '/openapi/v3',
      '/version',
    ]),
  );
});

test('a new group shows at once, under another ETag', async () => {
  const before = await etag('/apis');
  catalogue.put('widgets.example.com', [row('example.com', 'v1', 'widgets')]);
  expect(await ask('/apis', accept(aggregated))).toMatchObject({
    body: expect.stringContaining('"name":"example.com"'),
  });
  expect(await etag('/apis')).not.toBe(before);
  expect(await ask('/openapi/v3')).toMatchObject({ body: expect.stringContaining('"apis/example.com/v1"') });
});

// Source: kubernetes pkg/serviceaccount/openidmetadata.go and pkg/routes/openidmetadata.go.
test.each([
  ['https://issuer.example.com', '/.well-known/openid-configuration', 200, 'application/json'],
  ['https://issuer.example.com', '/openid/v1/jwks', 200, 'application/jwk-set+json'],
  ['https://issuer.example.com?x=1', '/openid/v1/jwks', undefined, undefined],
  ['issuer', '/.well-known/openid-configuration', undefined, undefined],
])('the issuer %s at %s: %s', async (issuer, path, code, contentType) => {
  const keySet = [{ use: 'sig', kty: 'RSA', kid: 'k', alg: 'RS256', n: 'AQ', e: 'AQAB' }];
  const now = (): number => 0;
  const asked = createDocuments({
    platform,
    catalogue,
    now,
    serverAddress: () => '127.0.0.1:6443',
    issuer: { issuer, keySet },
  });
  const answer = await asked(requestOf(path));
  expect(answer?.type === 'document' ? [answer.code, answer.contentType] : []).toEqual(code ? [code, contentType] : []);
  if (answer?.type !== 'document') return;
  const configuration = {
    issuer,
    jwks_uri: 'https://127.0.0.1:6443/openid/v1/jwks',
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
  expect(JSON.parse(textOf(answer.body))).toEqual(path.startsWith('/openid') ? { keys: keySet } : configuration);
});
