import { createDraw, type Draw } from './draw.ts';
import { junk, mutateValue, names, oddTexts, corruptText } from './hostile-value.ts';
import { deletion, type Sample, samples, type SubresourceWrite, subresourceWrites } from './hostile-samples.ts';
import { adminUser } from './world.ts';
import type { Random } from '../../src/machinery/clock.ts';
import type { ApiRequest } from '../../src/apiserver/request/api-request.ts';

/** A random request, nearly valid or not at all, of values that often break servers. */
export function hostileRequest(random: Random, count: number, now: number): ApiRequest {
  const draw = createDraw(random);
  const sketch = draw.chance(0.75) ? nearlyRight(draw) : wild(draw);
  const { contentType } = sketch;
  return {
    method: sketch.method,
    path: sketch.path,
    query: draw.chance(0.7) ? new URLSearchParams() : queryOf(draw),
    headers: headersOf(draw, contentType),
    body: sketch.body,
    ...(draw.chance(0.95) ? { as: adminUser } : {}),
    certificate: undefined,
    auditId: `hostile-${count}`,
    receivedAt: now,
    signal: () => new AbortController().signal,
  };
}

interface Sketch {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A plausible write or read with a few corrupted values in its body. */
function nearlyRight(draw: Draw): Sketch {
  const [collection, template] = draw.one<readonly [Sample, ...Sample[]]>(samples);
  const name = draw.one(names);
  const body = { ...template, metadata: { name, labels: { a: 'b' } } };
  const item = `${collection}/${name}`;
  switch (draw.one(['create', 'create', 'create', 'update', 'patch', 'patch', 'delete', 'read', 'sub', 'sub'])) {
    case 'create':
      return sketchOf(draw, 'POST', collection, body);
    case 'update':
      return sketchOf(draw, 'PUT', item, body);
    case 'patch':
      return patch(draw, item, body);
    case 'delete':
      return sketchOf(draw, 'DELETE', draw.chance(0.9) ? item : collection, deletion);
    case 'read':
      return { method: 'GET', path: draw.chance(0.5) ? item : collection, contentType: '', body: new Uint8Array() };
    case 'sub':
      return onSubresource(draw, name, body);
  }
}

function patch(draw: Draw, path: string, body: object): Sketch {
  const contentType = draw.one(patchTypes);
  const document = contentType.includes('json-patch') ? [operation(draw), operation(draw)] : body;
  return { ...sketchOf(draw, 'PATCH', path, document), contentType };
}

function onSubresource(draw: Draw, name: string, body: object): Sketch {
  const [method, path, template] = draw.one<readonly [SubresourceWrite, ...SubresourceWrite[]]>(subresourceWrites);
  const meta = { metadata: { name } };
  const document = template === null ? body : { ...template, ...meta };
  return sketchOf(draw, method, path.replace('NAME', name), document);
}

function sketchOf(draw: Draw, method: string, path: string, document: object): Sketch {
  let value: unknown = document;
  while (draw.chance(0.55)) value = mutateValue(draw, value);
  const contentType =
    method === 'PATCH' ? draw.one(patchTypes) : draw.one(['application/json', 'application/json', 'application/yaml']);
  return { method, path, contentType, body: encoder.encode(JSON.stringify(value)) };
}

/** The same with another method, type, path or body, possibly all invalid. */
function wild(draw: Draw): Sketch {
  const sketch = nearlyRight(draw);
  const text = draw.chance(0.4) ? draw.one(oddBodies) : corruptText(draw, new TextDecoder().decode(sketch.body));
  return {
    method: draw.one([sketch.method, 'POST', 'PUT', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'get', draw.one(oddTexts)]),
    path: draw.chance(0.5) ? oddPath(draw, sketch.path) : sketch.path,
    contentType: draw.chance(0.8) ? sketch.contentType : draw.one(contentTypes),
    body: draw.chance(0.1) ? Uint8Array.from({ length: draw.upTo(200) }, () => draw.upTo(255)) : encoder.encode(text),
  };
}

const encoder = new TextEncoder();

const oddPath = (draw: Draw, path: string): string =>
  draw.one([
    () => draw.one(['', '/', '//', '/api', '/apis', '/api/v1', '/api//v1', '/apis/apps', '/healthz']),
    () => `${path}/${draw.one(oddTexts)}`,
    () => path.replace(/\/([^/]+)\//, `/${draw.one(oddTexts)}/`),
    () => path.replace(/[^/]*$/, draw.one(oddTexts)),
    () => path.replace('/v1/', '/v1/watch/'),
    () => path.replaceAll('/', '//'),
  ])();

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
] as const;

const contentTypes = [
  '',
  'application/json; charset=utf-16',
  'application/vnd.kubernetes.protobuf',
  'application/json-patch+json',
  'text/plain',
  'application/cbor',
  ';;;',
  'APPLICATION/JSON',
  'application/json, application/yaml',
  ...patchTypes,
] as const;

const parameters = [
  'dryRun',
  'fieldManager',
  'fieldValidation',
  'force',
  'timeout',
  'timeoutSeconds',
  'watch',
  'limit',
  'continue',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'labelSelector',
  'fieldSelector',
  'gracePeriodSeconds',
  'propagationPolicy',
  'orphanDependents',
  'command',
  'ports',
  'stdin',
  '__proto__',
] as const;

const parameterValues = [
  'All',
  'true',
  '1',
  '0',
  '34s',
  '10ms',
  'Strict',
  'Ignore',
  'NotOlderThan',
  'Exact',
  'metadata.name=a',
  'spec.nodeName!=x,status.phase=Running',
  'a in (b, c), !d, e notin (f)',
  'Foreground',
  'Orphan',
  'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiJhXHUwMDAwIn0',
  ...oddTexts,
] as const;

function queryOf(draw: Draw): URLSearchParams {
  const query = new URLSearchParams();
  while (draw.chance(0.45)) query.append(draw.one(parameters), draw.one(parameterValues));
  return query;
}

const headerNames = [
  'impersonate-user',
  'impersonate-group',
  'impersonate-uid',
  'impersonate-extra-__proto__',
  'x-http-method-override',
  'authorization',
  'user-agent',
  'accept',
  'upgrade',
  'audit-id',
] as const;

const headerValues = [
  'Bearer x.y.z',
  'Bearer ',
  'Basic YTpi',
  'system:masters',
  'system:serviceaccount:default:default',
  'system:serviceaccount:',
  'DELETE',
  ...oddTexts,
] as const;

function headersOf(draw: Draw, contentType: string): ApiRequest['headers'] {
  const headers: Record<string, string | readonly string[]> = Object.create(null);
  if (contentType !== '') headers['content-type'] = contentType;
  while (draw.chance(0.15)) {
    const name = draw.one(headerNames);
    headers[name] = name.startsWith('impersonate-') ? [draw.one(headerValues)] : draw.one(headerValues);
  }
  return headers;
}

const oddBodies = [
  '\ufeff{"metadata":{"name":"a"}}',
  '[]',
  'null',
  '{}',
  '"text"',
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true},"metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y"}},"data":{"__proto__":"z"}}',
  '{"constructor":{"prototype":{"polluted":true}},"metadata":{"name":"b"}}',
  '{"metadata":{"name":"a","annotations":{"toString":"x"}},"data":{"hasOwnProperty":"1"}}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(12_000)}1${'}'.repeat(12_000)}`,
  '{"metadata":{"name":"a","generation":1e400}}',
  '{"spec":{"replicas":99999999999999999999}}',
  '{"spec":{"replicas":1.5}}',
  '{"metadata":{"name":"a","resourceVersion":"99999999999999999999"}}',
  'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d]\n',
  'a: &a\n  b: *a\n',
  '? {a: b}\n: c\n',
  '--- \n---\na: 1\n',
  '!!js/function "x"',
  '<<: [{a: 1}, {b: 2}]',
  '[{"op":"add","path":"/__proto__/polluted","value":true}]',
  '[{"op":"add","path":"/metadata/labels","value":{"__proto__":{"polluted":"yes"}}},{"op":"copy","from":"/metadata","path":"/metadata/labels/constructor"}]',
  '[{"op":"replace","path":"/constructor/prototype/polluted","value":1}]',
  '[{"op":"move","from":"","path":"/a"},{"op":"test","path":"","value":null},{"op":"remove","path":""}]',
  '[{"op":"remove","path":"/metadata"}]',
  '[{"op":"replace","path":"","value":null}]',
  '[{"op":"add","path":"/spec/containers/-99","value":{}},{"op":"add"}]',
  '{"$patch":"delete"}',
  '{"spec":{"containers":[{"$patch":"replace"}],"$setElementOrder/containers":[{"name":"__proto__"}]}}',
  '{"$retainKeys":["__proto__"],"$deleteFromPrimitiveList/finalizers":["a"]}',
] as const;

const operation = (draw: Draw): unknown => ({
  op: draw.one(['add', 'remove', 'replace', 'move', 'copy', 'test', 'zap']),
  path: draw.one([
    '/data/k',
    '/metadata/labels/a',
    '/spec/replicas',
    '/metadata/name',
    '/spec/containers/0/image',
    '',
    '/',
    '/~2',
    '/metadata/finalizers/-',
  ]),
  ...(draw.chance(0.8) ? { value: junk(draw, 3) } : {}),
  ...(draw.chance(0.3) ? { from: draw.one(['/metadata', '/data', '', '/nowhere']) } : {}),
});
