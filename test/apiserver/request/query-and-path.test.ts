import { expect, test } from 'vitest';
import {
  requestDeadline,
  isDryRun,
  optionsJson,
  readWriteOptions,
} from '../../../src/apiserver/request/write-options.ts';
import { isLongRunning } from '../../../src/apiserver/request/in-flight.ts';
import { isTrueParameter, requestInfoOf } from '../../../src/apiserver/request/request-info.ts';

const limitOf = (query: string, isOneWrite: boolean, longestMs?: number): string => {
  const { at, by } = requestDeadline(new URLSearchParams(query), 1000, { isOneWrite, longestMs });
  return `${at - 1000} ${by}`;
};

// Source: apiserver pkg/endpoints/filters/request_deadline_test.go; pkg/endpoints/handlers/rest.go requestTimeoutUpperBound.
test.each<[query: string, isOneWrite: boolean, longestMs: number | undefined, limit: string]>([
  ['', false, undefined, '60000 request'],
  ['', true, undefined, '34000 handler'],
  ['timeout=10s', true, undefined, '10000 request'],
  ['timeout=34s', true, undefined, '34000 request'],
  ['timeout=35s', true, undefined, '34000 handler'],
  ['timeout=35s', false, undefined, '35000 request'],
  ['timeout=60s', false, undefined, '60000 request'],
  ['timeout=61s', false, undefined, '60000 request'],
  ['timeout=0', false, undefined, '60000 request'],
  ['timeout=-1s', false, undefined, '60000 request'],
  ['timeout=1ms', false, undefined, '1 request'],
  ['timeout=90s', false, 120_000, '90000 request'],
  ['timeout=20s', true, 10_000, '10000 request'],
  ['', true, 10_000, '10000 request'],
])('a request with %j, one write: %s, at most %s ms', (query, isOneWrite, longestMs, limit) => {
  expect(limitOf(query, isOneWrite, longestMs)).toBe(limit);
});

type Kind = Parameters<typeof readWriteOptions>[1];
const errorOf = (query: string, kind: Kind, isApply = false): string => {
  const read = readWriteOptions(new URLSearchParams(query), kind, isApply);
  return read.ok ? 'fine' : (read.status.message ?? '').replace(/^.* is invalid: /, '');
};
const notSupported = (field: string, text: string): string => `${field}: Unsupported value: ${text}`;

// Source: apimachinery pkg/apis/meta/v1/validation/validation_test.go
test.each<[query: string, kind: Kind, isApply: boolean, error: string]>([
  ['', 'CreateOptions', false, 'fine'],
  ['', 'PatchOptions', false, 'fine'],
  ['', 'PatchOptions', true, 'fieldManager: Required value: is required for apply patch'],
  ['fieldManager=', 'PatchOptions', true, 'fieldManager: Required value: is required for apply patch'],
  ['fieldManager=a', 'PatchOptions', true, 'fine'],
  ['fieldManager=a&force=true', 'PatchOptions', true, 'fine'],
  ['force=false', 'PatchOptions', false, 'force: Forbidden: may not be specified for non-apply patch'],
  ['force=true', 'CreateOptions', false, 'fine'],
  ['dryRun=All', 'UpdateOptions', false, 'fine'],
  ['dryRun=All&dryRun=All', 'UpdateOptions', false, 'fine'],
  ['fieldValidation=Warn', 'CreateOptions', false, 'fine'],
  ['fieldValidation=Ignore', 'CreateOptions', false, 'fine'],
  ['fieldValidation=Strict', 'CreateOptions', false, 'fine'],
  [
    'fieldValidation=strict',
    'CreateOptions',
    false,
    notSupported('fieldValidation', '"strict": supported values: "", "Ignore", "Strict", "Warn"'),
  ],
  [`fieldManager=${'x'.repeat(128)}`, 'CreateOptions', false, 'fine'],
  [`fieldManager=${'x'.repeat(129)}`, 'CreateOptions', false, 'fieldManager: Too long: may not be more than 128 bytes'],
])('options %.40j of %s, apply: %s', (query, kind, isApply, error) => {
  expect(errorOf(query, kind, isApply)).toBe(error);
});

test.each(['dryRun=', 'dryRun=None', 'dryRun=All&dryRun=None'])('%j is no dry run', (query) => {
  expect(errorOf(query, 'CreateOptions')).toMatch(/^dryRun: Unsupported value: .*supported values: "All"$/);
});

test.each<[query: string, json: object]>([
  ['', {}],
  ['dryRun=All', { dryRun: ['All'] }],
  ['fieldManager=m', { fieldManager: 'm' }],
  ['fieldValidation=Strict', { fieldValidation: 'Strict' }],
])('webhooks are shown options %j as %j', (query, json) => {
  const read = readWriteOptions(new URLSearchParams(query), 'CreateOptions');
  const options = read.ok ? read.value : undefined;
  expect(options && optionsJson('CreateOptions', options)).toEqual({
    kind: 'CreateOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...json,
  });
  expect(options && isDryRun(options)).toBe('dryRun' in json);
});

const infoOf = (method: string, target: string): unknown => {
  const url = new URL(target, 'https://kadmit');
  const info = requestInfoOf(method, url.pathname, url.searchParams);
  if (info.type === 'path') return `${info.verb} ${info.path}`;
  const { verb, group, version, resource, subresource, namespace, name, subpath } = info;
  return [verb, `${group}/${version}`, resource, subresource, namespace, name, subpath].join(' ').trimEnd();
};

// Source: apiserver pkg/endpoints/request/requestinfo_test.go
test.each<[method: string, target: string, info: string]>([
  ['GET', '/api/v1/namespaces', 'list /v1 namespaces'],
  ['GET', '/api/v1/namespaces/a', 'get /v1 namespaces  a a'],
  ['PUT', '/api/v1/namespaces/a/status', 'update /v1 namespaces status a a'],
  ['PUT', '/api/v1/namespaces/a/finalize', 'update /v1 namespaces finalize a a'],
  ['GET', '/api/v1/namespaces/a/pods', 'list /v1 pods  a'],
  ['HEAD', '/api/v1/namespaces/a/pods/p', 'get /v1 pods  a p'],
  ['GET', '/api/v1/namespaces/a/pods/p/log', 'get /v1 pods log a p'],
  ['POST', '/api/v1/namespaces/a/pods/p/proxy/x/y', 'create /v1 pods proxy a p /x/y'],
  ['GET', '/api/v1/namespaces/a/pods/p/proxy', 'get /v1 pods proxy a p'],
  ['GET', '/api/v1/namespaces/a/pods/p/proxy/', 'get /v1 pods proxy a p /'],
  ['GET', '/api/v1/namespaces/a/services/s/proxy/x/', 'get /v1 services proxy a s /x/'],
  ['GET', '/api/v1/namespaces/a/services/s/proxy/x//y', 'get /v1 services proxy a s /x//y'],
  ['GET', '/api/v1/nodes/n/proxy/x//', 'get /v1 nodes proxy  n /x/'],
  ['DELETE', '/api/v1/namespaces/a/pods', 'deletecollection /v1 pods  a'],
  ['DELETE', '/api/v1/nodes/n', 'delete /v1 nodes   n'],
  ['GET', '/apis/apps/v1/deployments', 'list apps/v1 deployments'],
  ['GET', '/apis/apps/v1/deployments?watch=true', 'watch apps/v1 deployments'],
  ['GET', '/apis/apps/v1/deployments?watch=0', 'list apps/v1 deployments'],
  ['GET', '/apis/apps/v1/deployments/d?watch=true', 'get apps/v1 deployments   d'],
  ['GET', '/api/v1/watch/pods', 'watch /v1 pods'],
  ['GET', '/api/v1/watch/namespaces/a/pods/p', 'watch /v1 pods  a p'],
  ['GET', '/api/v1/watch', 'list /v1 watch'],
  ['GET', '/api/v1', 'get /api/v1'],
  ['GET', '/apis/apps', 'get /apis/apps'],
  ['GET', '/apis/apps/v1/', 'get /apis/apps/v1/'],
  ['GET', '/healthz', 'get /healthz'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp', 'list /v1 pods   p'],
  ['GET', '/api/v1/pods?watch=1&fieldSelector=metadata.name%3D%3Dp', 'watch /v1 pods   p'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name!%3Dp', 'list /v1 pods'],
  ['GET', '/api/v1/pods?fieldSelector=spec.nodeName%3Dn,metadata.name%3Dp', 'list /v1 pods   p'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp,metadata.name%3Dq', 'list /v1 pods   p'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Da/b', 'list /v1 pods'],
  ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp,x', 'list /v1 pods'],
  ['GET', '/api/v1/watch/pods?fieldSelector=metadata.name%3Dp', 'watch /v1 pods'],
  ['DELETE', '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Dp', 'deletecollection /v1 pods  a'],
  ['GET', '/api/v1/pods/q?fieldSelector=metadata.name%3Dp', 'get /v1 pods   q'],
])('%s %s is %s', (method, target, info) => {
  expect(infoOf(method, target)).toBe(info);
});

test.each<[text: string | null, is: boolean]>([
  [null, false],
  ['', true],
  ['true', true],
  ['1', true],
  ['no', true],
  ['false', false],
  ['FALSE', false],
  ['0', false],
])('a parameter of %j is %s', (text, is) => {
  expect(isTrueParameter(text)).toBe(is);
});

// Source: apiserver pkg/server/filters/longrunning.go, kubernetes cmd/kube-apiserver/app/server.go
test.each<[method: string, target: string, isLong: boolean]>([
  ['GET', '/api/v1/pods', false],
  ['GET', '/api/v1/pods?watch=1', true],
  ...['attach', 'exec', 'proxy', 'log', 'portforward'].map((name): [string, string, boolean] => [
    'GET',
    `/api/v1/namespaces/a/pods/p/${name}`,
    true,
  ]),
  ['PUT', '/api/v1/namespaces/a/pods/p/status', false],
  ['GET', '/debug/pprof/profile', true],
  ['GET', '/debug/pprof', false],
  ['GET', '/x/debug/pprof/', false],
])('%s %s takes long: %s', (method, target, isLong) => {
  const url = new URL(target, 'https://kadmit');
  expect(isLongRunning(requestInfoOf(method, url.pathname, url.searchParams))).toBe(isLong);
});
