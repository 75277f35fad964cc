import type { ServerRequest } from './server-client.ts';

const configMaps = '/api/v1/namespaces/differ/configmaps';
const json = { 'content-type': 'application/json' };

const accepts = [
  'application/json',
  'application/yaml',
  '*/*',
  'text/html',
  'application/cbor',
  'foo',
  'application/json;q=0',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v2;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
];
const paths = ['/api', '/apis', '/api/v1', '/apis/apps', configMaps, `${configMaps}/nope`, '/version', '/healthz'];
const missing = ['/', '/api/v2', '/api/v1/nope', '/apis/nope', '/apis/apps/v9', '/apis/apps/v1/nope', '/livez/nope'];
const lists = [
  'labelSelector=n in (1',
  'labelSelector=a b',
  'labelSelector=n>x',
  'labelSelector==',
  'fieldSelector=spec.x=1',
  'fieldSelector=metadata.name',
  'limit=-1',
  'limit=x',
  'continue=x',
  'limit=2&continue=x',
  'resourceVersion=x',
  'resourceVersion=0&resourceVersionMatch=Exact',
  'resourceVersionMatch=NotOlderThan',
  'sendInitialEvents=true',
  'resourceVersion=1&resourceVersionMatch=foo',
  'watch=x',
  'timeoutSeconds=x',
  'includeObject=x',
  'pretty=true',
];
const options = [
  'dryRun=all',
  'fieldManager=',
  'fieldValidation=x',
  'timeout=x',
  'timeout=1',
  'unknown=1',
  'pretty=x',
  'force=true',
  'gracePeriodSeconds=x',
  'propagationPolicy=x',
  'propagationPolicy=Background&orphanDependents=true',
];
const bodies = [
  '',
  '{}',
  '[]',
  'null',
  '"x"',
  '{',
  'a: b',
  '{"apiVersion":"v1"}',
  '{"apiVersion":"v1","kind":"Pod"}',
  '{"metadata":{"name":"z","namespace":"other"}}',
  '{"metadata":{"generateName":"Z_"}}',
  '{"metadata":"x"}',
  '{"metadata":{"name":"z"},"Data":{}}',
  '{"metadata":{"name":"z","name":"y"}}',
  '{"metadata":{"name":"z"}} {}',
  '{"metadata":{"name":"z","labels":{"a":1}}}',
  '{"metadata":{"name":"z","uid":"x"}}',
];
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
  'application/json',
  'text/plain',
];

const get = (path: string, accept?: string): ServerRequest => ({
  method: 'GET',
  path: encodeURI(path),
  ...(accept === undefined ? {} : { headers: { accept } }),
});

/** Requests for the API itself: media types, options, paths. They change nothing. */
export const plainRequests: readonly ServerRequest[] = [
  ...paths.flatMap((path) => accepts.map((accept) => get(path, accept))),
  ...missing.flatMap((path) => ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'].map((method) => ({ method, path }))),
  ...lists.map((query) => get(`${configMaps}?${query}`)),
  ...[...options, ''].flatMap((query) => [
    { method: 'POST', path: `${configMaps}?dryRun=All&${query}`, headers: json, body: '{"metadata":{"name":"z"}}' },
    { method: 'DELETE', path: `${configMaps}/nope?dryRun=All&${query}` },
    get(`${configMaps}?${query}`),
  ]),
  ...bodies.flatMap((body) => [
    { method: 'POST', path: `${configMaps}?dryRun=All`, headers: json, body },
    { method: 'PUT', path: `${configMaps}/nope?dryRun=All&fieldValidation=Strict`, headers: json, body },
    { method: 'DELETE', path: `${configMaps}/nope?dryRun=All`, headers: json, body },
    ...patchTypes.map((type) => ({
      method: 'PATCH',
      path: `${configMaps}/nope?dryRun=All&fieldManager=m`,
      headers: { 'content-type': type },
      body,
    })),
  ]),
];
