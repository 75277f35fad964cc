import { expect, test } from 'vitest';
import { isTrueParameter, requestInfoOf } from '../../../src/apiserver/request/request-info.ts';

// Source: apiserver pkg/endpoints/request/requestinfo_test.go, restated; the last block is ours.
type Row = readonly [method: string, url: string, request: string];

/** `verb group/version namespace resource[/subresource] name`; a missing part is `-`. */
const resources: readonly Row[] = [
  ['GET', '/api/v1/namespaces', 'list -/v1 - namespaces -'],
  ['GET', '/api/v1/namespaces/other', 'get -/v1 other namespaces other'],
  ['GET', '/api/v1/namespaces/other/pods', 'list -/v1 other pods -'],
  ['GET', '/api/v1/namespaces/other/pods/foo', 'get -/v1 other pods foo'],
  ['HEAD', '/api/v1/namespaces/other/pods/foo', 'get -/v1 other pods foo'],
  ['GET', '/api/v1/pods', 'list -/v1 - pods -'],
  ['HEAD', '/api/v1/pods', 'list -/v1 - pods -'],
  ['PATCH', '/api/v1/namespaces/new-namespace', 'patch -/v1 new-namespace namespaces new-namespace'],
  ['GET', '/api/v1/watch/pods', 'watch -/v1 - pods -'],
  ['GET', '/api/v1/pods?watch=true', 'watch -/v1 - pods -'],
  ['GET', '/api/v1/pods?watch=false', 'list -/v1 - pods -'],
  ['GET', '/api/v1/watch/namespaces/other/pods', 'watch -/v1 other pods -'],
  ['GET', '/api/v1/watch/namespaces/other/pods/foo', 'watch -/v1 other pods foo'],
  ['GET', '/api/v1/namespaces/other/pods?watch=1', 'watch -/v1 other pods -'],
  ['GET', '/api/v1/namespaces/other/pods?watch=0', 'list -/v1 other pods -'],
  ['GET', '/api/v1/namespaces/other/pods?watch=', 'watch -/v1 other pods -'],
  ['GET', '/api/v1/namespaces/other/pods/foo?watch=true', 'get -/v1 other pods foo'],
  ['GET', '/api/v1/namespaces/other/pods/foo/status', 'get -/v1 other pods/status foo'],
  ['GET', '/api/v1/namespaces/other/pods/foo/proxy/subpath', 'get -/v1 other pods/proxy foo'],
  ['PUT', '/api/v1/namespaces/other/finalize', 'update -/v1 other namespaces/finalize other'],
  ['PUT', '/api/v1/namespaces/other/status', 'update -/v1 other namespaces/status other'],
  ['PATCH', '/api/v1/namespaces/other/pods/foo', 'patch -/v1 other pods foo'],
  ['DELETE', '/api/v1/namespaces/other/pods/foo', 'delete -/v1 other pods foo'],
  ['POST', '/api/v1/namespaces/other/pods', 'create -/v1 other pods -'],
  ['DELETE', '/api/v1/nodes', 'deletecollection -/v1 - nodes -'],
  ['DELETE', '/api/v1/namespaces', 'deletecollection -/v1 - namespaces -'],
  ['DELETE', '/api/v1/namespaces/other/pods', 'deletecollection -/v1 other pods -'],
  ['DELETE', '/apis/extensions/v1/namespaces/other/pods', 'deletecollection extensions/v1 other pods -'],
  ['POST', '/apis/extensions/v1beta3/namespaces/other/pods', 'create extensions/v1beta3 other pods -'],

  ['GET', '/apis/g/v/r?fieldSelector=metadata.name%3Dname1', 'list g/v - r name1'],
  ['GET', '/apis/g/v/r?watch=true&fieldSelector=metadata.name%3D%3Dname1', 'watch g/v - r name1'],
  ['GET', '/apis/g/v/r?fieldSelector=foo%3Dbar', 'list g/v - r -'],
  ['GET', '/apis/g/v/r?fieldSelector=metadata.name%21%3Dname1', 'list g/v - r -'],
  ['GET', '/apis/g/v/r?fieldSelector=metadata.name%3Dname1,foo', 'list g/v - r -'],
  ['GET', '/apis/g/v/r?fieldSelector=metadata.name%3Da%2Fb', 'list g/v - r -'],
  ['GET', '/apis/g/v/r?fieldSelector=a%3Db,metadata.name%3Dname1', 'list g/v - r name1'],
  ['GET', '/apis/g/v/r?fieldSelector=metadata.name%3Dname1,metadata.name%3Dq', 'list g/v - r name1'],
  ['GET', '/apis/g/v/watch/r?fieldSelector=metadata.name%3Dname1', 'watch g/v - r -'],
  ['GET', '/apis/g/v/r/other?fieldSelector=metadata.name%3Dname1', 'get g/v - r other'],
  ['DELETE', '/apis/g/v/r?fieldSelector=metadata.name%3Dname1', 'deletecollection g/v - r -'],

  ['POST', '/api/v1/watch/pods', 'watch -/v1 - pods -'],
  ['OPTIONS', '/api/v1/pods', '- -/v1 - pods -'],
  ['get', '/api/v1/pods', '- -/v1 - pods -'],
  ['GET', '/api/v1/watch', 'list -/v1 - watch -'],
  ['GET', '/api/v1/__proto__/constructor/toString', 'get -/v1 - __proto__/toString constructor'],
];

test.each(resources)('%s %s is %s', (method, url, expected) => {
  const { pathname, searchParams } = new URL(url, 'https://x');
  const info = requestInfoOf(method, decodeURIComponent(pathname), searchParams);
  if (info.type !== 'resource') throw new Error('a path');
  const { verb, group, version, namespace, resource, subresource, name } = info;
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const parts = [verb || '-', `${group || '-'}/${version}`, namespace || '-', what, name || '-'];
  expect(parts.join(' ')).toBe(expected);
});

test.each([
  ['/api/v1/namespaces/a/pods/p/proxy', ''],
  ['/api/v1/namespaces/a/pods/p/proxy/', '/'],
  ['/api/v1/namespaces/a/services/s/proxy/x/', '/x/'],
  ['/api/v1/namespaces/a/services/s/proxy/x//y', '/x//y'],
  ['/api/v1/nodes/n/proxy/x//', '/x/'],
])('%s proxies %j', (path, subpath) => {
  expect(requestInfoOf('GET', path, new URLSearchParams())).toMatchObject({ subresource: 'proxy', subpath });
});

test.each([
  '/',
  '',
  '/api',
  '/api/version/',
  '/apis/group/version/',
  '/apis/extensions/v1beta1',
  '/badprefix/version/resource',
  '/apis/version/resource',
  '/healthz',
  '///',
])('%j is no path of a resource', (path) => {
  expect(requestInfoOf('GET', path, new URLSearchParams())).toEqual({ type: 'path', verb: 'get', path });
});

// Source: apimachinery pkg/runtime/conversion.go.
test.each<readonly [string | null, boolean]>([
  [null, false],
  ['', true],
  ['0', false],
  ['false', false],
  ['FALSE', false],
  ['1', true],
  ['no', true],
])('a boolean parameter %j is %j', (text, value) => {
  expect(isTrueParameter(text)).toBe(value);
});
