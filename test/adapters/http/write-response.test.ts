import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { negotiationError } from '../../../src/adapters/http/accept.ts';
import { toWire } from '../../../src/adapters/http/write-response.ts';
import type { WireDocument } from '../../../src/adapters/http/encode.ts';
import { badRequest, tooManyRequests } from '../../../src/machinery/meta/status.ts';
import type { ApiRequest, ApiResponse } from '../../../src/apiserver/request/api-request.ts';
import { loadRelease } from '../../../src/api/release/load-release.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const one = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'one', uid: 'u' }, data: { 'z<': '1', a: '2' } };
const deployment = { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'd' } };
const list = { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7' }, items: [one] };
const deleted = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' };
const bareList = {
  kind: 'ConfigMapList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '7' },
  items: [{ metadata: { name: 'one' }, data: { a: '2' } }],
};
const big = { kind: 'ConfigMap', apiVersion: 'v1', data: { x: 'x'.repeat(200_000) } };

const object = (body: object, code = 200, warnings: readonly string[] = []): ApiResponse => ({
  type: 'object',
  code,
  body: { ...body },
  warnings,
});
const status = (refusal: ReturnType<typeof badRequest>, warnings: readonly string[] = []): ApiResponse => ({
  type: 'status',
  status: refusal,
  warnings,
});

function request(headers: Readonly<Record<string, string>>, query = ''): ApiRequest {
  return {
    method: 'GET',
    path: '/api/v1/configmaps',
    query: new URLSearchParams(query),
    headers,
    body: new Uint8Array(),
    certificate: undefined,
    auditId: 'the-id',
    receivedAt: 0,
    signal: () => new AbortController().signal,
  };
}

const ports = { now: () => 0, release: recordedRelease };

async function write(asked: ApiRequest, response: ApiResponse): Promise<WireDocument> {
  const wire = await toWire(asked, response, ports);
  if (wire.type !== 'buffered') throw new Error('a watch');
  return wire;
}

const own = { 'audit-id': 'the-id', 'cache-control': 'no-cache, private' };
const json = { ...own, 'content-type': 'application/json' };
const accepts = (accept: string): Readonly<Record<string, string>> => ({ accept });
const meta = (as: string): Readonly<Record<string, string>> => accepts(`application/json;as=${as};v=v1;g=meta.k8s.io`);

// Source: apiserver pkg/endpoints/handlers/responsewriters/writers.go; a real kube-apiserver 1.36.2.
const headers: readonly [fact: string, asked: ApiRequest, response: ApiResponse, code: number, headers: object][] = [
  ['an object', request({}), object(one, 201), 201, json],
  [
    'an object with warnings',
    request({}),
    object(one, 200, ['ü "x"']),
    200,
    { ...json, warning: ['299 - "Ã¼ \\"x\\""'] },
  ],
  ['a refusal', request({}), status(badRequest('no')), 400, json],
  ['a refusal with warnings', request({}), status(badRequest('no'), ['w']), 400, { ...json, warning: ['299 - "w"'] }],
  ['a refusal to be repeated', request({}), status(tooManyRequests('wait', 7)), 429, { ...json, 'retry-after': '7' }],
  ['a refusal not to be repeated', request({}), status(tooManyRequests('wait', 0)), 429, json],
  [
    'a refusal from before the handlers',
    request(accepts('application/yaml')),
    { type: 'status', status: badRequest('no'), warnings: [], isBare: true },
    400,
    { ...own, 'content-type': 'text/plain; charset=utf-8' },
  ],
  ['YAML', request(accepts('application/yaml')), object(one), 200, { ...own, 'content-type': 'application/yaml' }],
  ['what cannot be had', request(accepts('text/html')), object(one), 406, json],
  ['a refusal to who accepts nothing', request(accepts('text/html')), status(badRequest('no')), 400, json],
  ['a refusal to who wants a Table', request(meta('Table')), status(badRequest('no')), 400, json],
  ['a Table of unknown rows', request(meta('Table'), 'includeObject=x'), object(one), 400, json],
  ['a list as one object’s metadata', request(meta('PartialObjectMetadata')), object(list), 406, json],
  ['an object as a list of metadata', request(meta('PartialObjectMetadataList')), object(deployment), 406, json],
  [
    'a document',
    request({}),
    { type: 'document', code: 200, contentType: 'text/plain', body: 'ok', headers: { 'cache-control': 'public' } },
    200,
    { ...own, 'content-type': 'text/plain', 'cache-control': 'public' },
  ],
  [
    'a large answer to who reads gzip',
    request({ 'accept-encoding': 'deflate, gzip' }),
    object(big),
    200,
    { ...json, 'content-encoding': 'gzip', vary: 'Accept-Encoding' },
  ],
  ['a large answer to who does not', request({ 'accept-encoding': 'br, gzip;q=0' }), object(big), 200, json],
  ['a small answer to who reads gzip', request({ 'accept-encoding': 'gzip' }), object(one), 200, json],
];

test.each(headers)('%s: code and headers', async (_fact, asked, response, ...[code, expected]) => {
  const wire = await write(asked, response);
  expect({ code: wire.code, headers: wire.headers }).toEqual({ code, headers: expected });
});

const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: one.metadata };

const bodies: readonly [fact: string, asked: ApiRequest, response: ApiResponse, body: string][] = [
  ['JSON ends with a line break, escaped for HTML', request({}), object({ a: 1n, b: '<' }), '{"a":1,"b":"\\u003c"}\n'],
  ['64-bit integers are printed in full', request({}), object({ n: 9007199254740993n }), '{"n":9007199254740993}\n'],
  [
    'pretty=true indents',
    request({}, 'pretty=true'),
    object({ a: [1], b: {} }),
    '{\n  "a": [\n    1\n  ],\n  "b": {}\n}',
  ],
  ['curl gets it indented', request({ 'user-agent': 'curl/8.0' }), object({ a: 1 }), '{\n  "a": 1\n}'],
  ['unless it says pretty=false', request({ 'user-agent': 'curl/8.0' }, 'pretty=false'), object({ a: 1 }), '{"a":1}\n'],
  ['brackets in texts do not indent', request({}, 'pretty=1'), object({ a: '{"[,:' }), '{\n  "a": "{\\"[,:"\n}'],
  [
    'YAML sorts its keys',
    request(accepts('application/yaml')),
    object({ b: 'no', a: 9007199254740993n }),
    'a: 9007199254740993\nb: "no"\n',
  ],
  ['an object’s metadata', request(meta('PartialObjectMetadata')), object(one), `${JSON.stringify(partial)}\n`],
  [
    'a list of metadata',
    request(meta('PartialObjectMetadataList')),
    object(list),
    `${JSON.stringify({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: list.metadata, items: [partial] })}\n`,
  ],
  [
    'a Table',
    request(meta('Table')),
    object({ ...list, kind: 'LimitRangeList', items: [] }),
    '{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"columnDefinitions":[' +
      '{"name":"Name","type":"string","format":"name","description":"","priority":0},' +
      '{"name":"Created At","type":"date","format":"","description":"","priority":0}],"rows":null}\n',
  ],
  [
    'a Status is never transformed',
    request(meta('PartialObjectMetadata')),
    object(deleted),
    `${JSON.stringify(deleted)}\n`,
  ],
];

test.each(bodies)('%s', async (_fact, asked, response, body) => {
  expect((await write(asked, response)).body.toString()).toBe(body);
});

const protobuf = 'application/vnd.kubernetes.protobuf';
const { decode } = await recordedRelease.loadProtobuf();

// One fact per kind of answer; the wire format itself is tested in test/api/protobuf.test.ts.
const asProtobuf: readonly [fact: string, accept: string, response: ApiResponse, code: number, body: object][] = [
  ['an object', protobuf, object(one, 201), 201, one],
  ['a list, whose items have no kind', protobuf, object(bareList), 200, bareList],
  ['a refusal', protobuf, status(badRequest('no')), 400, { ...badRequest('no'), code: 400 }],
  ['the Status of a deletion', protobuf, object(deleted), 200, deleted],
  ['metadata', `${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`, object(one), 200, partial],
];

test.each(asProtobuf)('%s in protobuf', async (_fact, accept, response, ...[code, body]) => {
  const wire = await write(request(accepts(accept)), response);
  expect({ code: wire.code, type: wire.headers['content-type'] }).toEqual({ code, type: protobuf });
  expect(decode(Buffer.from(wire.body))).toEqual({ outcome: 'decoded', object: body });
});

// Source: a real kube-apiserver 1.36.2. Clients for metadata alone ask in this way.
test('metadata of a custom resource has a message', async () => {
  const printed = { columns: () => ({ definitions: [], cells: () => [] }) };
  const custom = { kind: 'Widget', apiVersion: 'x.io/v1', metadata: { name: 'w' } };
  const response: ApiResponse = { type: 'object', code: 200, body: custom, warnings: [], printed };
  const wire = await write(request(accepts(`${protobuf};as=PartialObjectMetadata;g=meta.k8s.io;v=v1`)), response);
  expect(wire.headers['content-type']).toBe(protobuf);
  expect(decode(Buffer.from(wire.body))).toMatchObject({
    object: { kind: 'PartialObjectMetadata', metadata: { name: 'w' } },
  });
});

test('what has no protobuf message is refused in protobuf', async () => {
  const wire = await write(request(accepts(protobuf)), object({ kind: 'Thing', apiVersion: 'example.com/v1' }));
  expect({ code: wire.code, type: wire.headers['content-type'] }).toEqual({ code: 406, type: protobuf });
  expect(decode(Buffer.from(wire.body))).toMatchObject({
    object: { message: 'only the following media types are accepted: application/json, application/yaml' },
  });
});

test('a huge text can be indented', async () => {
  const wire = await toWire(request({}, 'pretty=true'), object({ x: '\\"'.repeat(2_000_000) }), ports);
  const text = String('body' in wire ? wire.body : '');
  expect(text.slice(-6)).toBe('\\\\\\""\n}'.slice(-6));
});

test('gzip holds the same JSON', async () => {
  const { body } = await write(request({ 'accept-encoding': 'gzip' }), object(big));
  expect(JSON.parse(gunzipSync(body).toString())).toEqual(big);
});

// Source: apiserver pkg/endpoints/handlers/response.go; %T of the internal type.
const refusals: readonly [fact: string, asked: ApiRequest, body: object, message: string][] = [
  [
    'a list',
    request(meta('PartialObjectMetadata')),
    list,
    'you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)',
  ],
  [
    'a single object',
    request(meta('PartialObjectMetadataList')),
    deployment,
    'you requested PartialObjectMetadataList, but the requested object is not a list (*apps.Deployment)',
  ],
];

test.each([
  ['PartialObjectMetadata', { kind: 'WidgetList', apiVersion: 'x.io/v1', items: [] }, '*unstructured.UnstructuredList'],
  ['PartialObjectMetadataList', { kind: 'Scale', apiVersion: 'autoscaling/v1' }, '*v1.Scale'],
])('a custom resource has no Go type of its own: %s', async (as, body, type) => {
  const printed = { columns: () => ({ definitions: [], cells: () => [] }) };
  const response: ApiResponse = { type: 'object', code: 200, body: { ...body }, warnings: [], printed };
  const wire = await write(request(meta(as)), response);
  expect(String(JSON.parse(wire.body.toString()).message)).toContain(`(${type})`);
});

// Source: apimachinery unstructured.go EachListItem, beside kube-apiserver v1.36.2.
test('a custom resource that is asked for as a list of metadata is looked into', async () => {
  const body = { kind: 'Widget', apiVersion: 'x.io/v1' };
  const response: ApiResponse = { type: 'object', code: 201, body, warnings: [], printed: {} };
  const wire = await write(request(meta('PartialObjectMetadataList')), response);
  expect(wire.code).toBe(500);
  expect(JSON.parse(wire.body.toString())).toMatchObject({ message: 'content is not a list' });
});

test('a list of metadata without items', async () => {
  const body = {
    kind: 'WidgetList',
    apiVersion: 'x.io/v1',
    metadata: { continue: '', resourceVersion: '5' },
    items: [],
  };
  const response: ApiResponse = { type: 'object', code: 200, body, warnings: [], printed: {} };
  const wire = await write(request(meta('PartialObjectMetadataList')), response);
  expect(JSON.parse(wire.body.toString())).toEqual({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { resourceVersion: '5' },
    items: null,
  });
});

test.each([
  ['PartialObjectMetadata', 'v1', 'EventList', '*core.EventList'],
  ['PartialObjectMetadata', 'events.k8s.io/v1', 'EventList', '*core.EventList'],
  ['PartialObjectMetadata', 'internal.apiserver.k8s.io/v1alpha1', 'StorageVersionList', '*apiserverinternal.Stor'],
])('%s of %s %s is named by its internal type', async (as, apiVersion, kind, type) => {
  const wire = await write(request(meta(as)), object({ kind, apiVersion, items: [] }));
  expect(String(JSON.parse(wire.body.toString()).message)).toContain(`(${type}`);
});

// Source: kubernetes pkg/registry, the storages that implement ConvertToTable; a real kube-apiserver 1.36.2.
const apps = '/apis/apps/v1/namespaces/n';
test.each<readonly [path: string, as: string]>([
  ['/api/v1/configmaps', 'Table'],
  ['/api/v1/namespaces/n/pods/p/status', 'Table'],
  [`${apps}/deployments/d/status`, 'Table'],
  [`${apps}/deployments/d/scale`, 'Table'],
  ['/apis/resource.k8s.io/v1/namespaces/n/resourceclaims/c', 'Table'],
  ['/apis/resource.k8s.io/v1/namespaces/n/resourceclaims/c/status', 'ConfigMap'],
  ['/apis/apiregistration.k8s.io/v1/apiservices/v1./status', 'ConfigMap'],
  ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x.y/status', 'ConfigMap'],
  ['/api/v1/namespaces/n/pods/p/resize', 'ConfigMap'],
  ['/api/v1/namespaces/n/pods/p/ephemeralcontainers', 'ConfigMap'],
  ['/api/v1/namespaces/n/finalize', 'ConfigMap'],
  ['/apis/certificates.k8s.io/v1/certificatesigningrequests/c/approval', 'ConfigMap'],
  ['/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', 'ConfigMap'],
  ['/apis/authentication.k8s.io/v1/tokenreviews', 'ConfigMap'],
  ['/api/v1/namespaces/n/bindings', 'ConfigMap'],
])('%s is sent as %s to who would like a Table', async (path, kind) => {
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
  const wire = await write({ ...request(headers), path }, object(one));
  expect(JSON.parse(wire.body.toString()).kind).toBe(kind);
});

const route = '406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, ';
const only = 'only the following media types are accepted: application/json, application/yaml, ';
const onlyTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';

// Source: the same requests to kube-apiserver v1.36.2.
test.each<readonly [method: string, path: string, accepted: string, isCustom: boolean, message: string | undefined]>([
  ['POST', '/api/v1/namespaces/n/bindings', onlyTable, false, only],
  ['POST', '/api/v1/namespaces/n/configmaps', onlyTable, false, undefined],
  ['GET', '/api/v1/namespaces/n/configmaps/one', 'text/html', false, route],
  ['PUT', '/api/v1/namespaces/n/configmaps/one', 'application/*', false, route],
  ['GET', '/api/v1/namespaces/n/pods/p/log', 'text/html', false, undefined],
  ['POST', '/api/v1/namespaces/n/pods/p/exec', 'text/html', false, undefined],
  ['GET', '/apis/x.io/v1/widgets/one', 'text/html', true, only],
  ['POST', '/apis/x.io/v1/widgets', 'application/*', true, undefined],
  ['POST', '/apis/x.io/v1/widgets', 'application/vnd.kubernetes.protobuf', true, only],
  ['GET', '/apis/x.io/v1/widgets/one/scale', 'application/vnd.kubernetes.protobuf', true, only],
  ['GET', '/apis/x.io/v1/widgets/one/scale', onlyTable, true, undefined],
])('before %s %s: a client that accepts %s only (a custom resource: %s) receives %s', (...row) => {
  const [method, path, accepted, isCustom, message] = row;
  const refusal = negotiationError({ ...request({ accept: accepted }), method, path }, isCustom);
  expect(refusal?.message?.slice(0, message?.length)).toBe(message);
});

test.each(refusals)('%s where metadata of the other form is asked', async (_fact, asked, body, message) => {
  const wire = await write(asked, object(body));
  expect(JSON.parse(wire.body.toString())).toMatchObject({ code: 406, reason: 'NotAcceptable', message });
});

// Source: apiserver pkg/server/filters/timeout.go: the body is the Status without a kind.
test('a refusal from before the handlers has no kind', async () => {
  const wire = await toWire(
    request({}),
    { type: 'status', status: badRequest('no'), warnings: [], isBare: true },
    { now: () => 0, release: recordedRelease },
  );
  expect('body' in wire && String(wire.body)).toBe(
    '{"metadata":{},"status":"Failure","message":"no","reason":"BadRequest","code":400}\n',
  );
});

// Source: apiserver pkg/endpoints/handlers/watch.go of 1.37 (#140140); regular watches are not compressed.
test.each<[accepted: string, query: string, minor: string, isZipped: boolean]>([
  ['gzip', 'sendInitialEvents=true&allowWatchBookmarks=true', '1.37', true],
  ['gzip', 'sendInitialEvents=true&allowWatchBookmarks=true', '1.36', false],
  ['identity', 'sendInitialEvents=true&allowWatchBookmarks=true', '1.37', false],
  ['gzip', 'sendInitialEvents=true', '1.37', false],
  ['gzip', 'sendInitialEvents=false&allowWatchBookmarks=true', '1.37', false],
  ['gzip', 'allowWatchBookmarks=true', '1.37', false],
])('a watch that accepts %s with %s in %s is compressed: %s', async (accepted, query, minor, isZipped) => {
  const asked = request({ 'accept-encoding': accepted }, query);
  const open = () => () => {};
  const wire = await toWire(asked, { type: 'watch', open }, { now: () => 0, release: await loadRelease(minor) });
  expect(wire).toMatchObject({ type: 'watch', isZipped });
  expect([wire.headers['content-encoding'], wire.headers['vary']]).toEqual(
    isZipped ? ['gzip', 'Accept-Encoding'] : [undefined, undefined],
  );
});

test('the warnings of a watch are sent with its headers', async () => {
  const open = () => () => {};
  const ports = { now: () => 0, release: recordedRelease };
  const { headers } = await toWire(request({}), { type: 'watch', open, warnings: ['no "Node"'] }, ports);
  expect(headers).toMatchObject({ warning: ['299 - "no \\"Node\\""'] });
  expect((await toWire(request({}), { type: 'watch', open }, ports)).headers).not.toHaveProperty('warning');
});
