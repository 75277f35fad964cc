import { createRandomChoices, type RandomChoices } from './random-choices.ts';
import { junk, mutateValue, names, oddTexts, corruptText } from './hostile-value.ts';
import { deletion, type Sample, samples, type SubresourceWrite, subresourceWrites } from './hostile-samples.ts';
import { adminUser } from './world.ts';
import type { Random } from '../../src/machinery/clock.ts';
import type { ApiRequest } from '../../src/apiserver/request/api-request.ts';

/** A random request, nearly valid or not at all, of values that often break servers. */
export function hostileRequest(source: Random, count: number, now: number): ApiRequest {
  const random = createRandomChoices(source);
  const sketch = random.chance(0.75) ? nearlyRight(random) : wild(random);
  const { contentType } = sketch;
  return {
    method: sketch.method,
    path: sketch.path,
    query: random.chance(0.7) ? new URLSearchParams() : queryOf(random),
    headers: headersOf(random, contentType),
    body: sketch.body,
    ...(random.chance(0.95) ? { as: adminUser } : {}),
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
function nearlyRight(random: RandomChoices): Sketch {
  const [collection, template] = random.pick<readonly [Sample, ...Sample[]]>(samples);
  const name = random.pick(names);
  const body = { ...template, metadata: { name, labels: { a: 'b' } } };
  const item = `${collection}/${name}`;
  switch (random.pick(['create', 'create', 'create', 'update', 'patch', 'patch', 'delete', 'read', 'sub', 'sub'])) {
    case 'create':
      return sketchOf(random, 'POST', collection, body);
    case 'update':
      return sketchOf(random, 'PUT', item, body);
    case 'patch':
      return patch(random, item, body);
    case 'delete':
      return sketchOf(random, 'DELETE', random.chance(0.9) ? item : collection, deletion);
    case 'read':
      return { method: 'GET', path: random.chance(0.5) ? item : collection, contentType: '', body: new Uint8Array() };
    case 'sub':
      return onSubresource(random, name, body);
  }
}

function patch(random: RandomChoices, path: string, body: object): Sketch {
  const contentType = random.pick(patchTypes);
  const document = contentType.includes('json-patch') ? [operation(random), operation(random)] : body;
  return { ...sketchOf(random, 'PATCH', path, document), contentType };
}

function onSubresource(random: RandomChoices, name: string, body: object): Sketch {
  const [method, path, template] = random.pick<readonly [SubresourceWrite, ...SubresourceWrite[]]>(subresourceWrites);
  const meta = { metadata: { name } };
  const document = template === null ? body : { ...template, ...meta };
  return sketchOf(random, method, path.replace('NAME', name), document);
}

function sketchOf(random: RandomChoices, method: string, path: string, document: object): Sketch {
  let value: unknown = document;
  while (random.chance(0.55)) value = mutateValue(random, value);
  const contentType =
    method === 'PATCH'
      ? random.pick(patchTypes)
      : random.pick(['application/json', 'application/json', 'application/yaml']);
  return { method, path, contentType, body: encoder.encode(JSON.stringify(value)) };
}

/** The same with another method, type, path or body, possibly all invalid. */
function wild(random: RandomChoices): Sketch {
  const sketch = nearlyRight(random);
  const text = random.chance(0.4) ? random.pick(oddBodies) : corruptText(random, new TextDecoder().decode(sketch.body));
  return {
    method: random.pick([
      sketch.method,
      'POST',
      'PUT',
      'PATCH',
      'HEAD',
      'OPTIONS',
      'TRACE',
      'get',
      random.pick(oddTexts),
    ]),
    path: random.chance(0.5) ? oddPath(random, sketch.path) : sketch.path,
    contentType: random.chance(0.8) ? sketch.contentType : random.pick(contentTypes),
    body: random.chance(0.1)
      ? Uint8Array.from({ length: random.upTo(200) }, () => random.upTo(255))
      : encoder.encode(text),
  };
}

const encoder = new TextEncoder();

const oddPath = (random: RandomChoices, path: string): string =>
  random.pick([
    () => random.pick(['', '/', '//', '/api', '/apis', '/api/v1', '/api//v1', '/apis/apps', '/healthz']),
    () => `${path}/${random.pick(oddTexts)}`,
    () => path.replace(/\/([^/]+)\//, `/${random.pick(oddTexts)}/`),
    () => path.replace(/[^/]*$/, random.pick(oddTexts)),
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

function queryOf(random: RandomChoices): URLSearchParams {
  const query = new URLSearchParams();
  while (random.chance(0.45)) query.append(random.pick(parameters), random.pick(parameterValues));
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

function headersOf(random: RandomChoices, contentType: string): ApiRequest['headers'] {
  const headers: Record<string, string | readonly string[]> = Object.create(null);
  if (contentType !== '') headers['content-type'] = contentType;
  while (random.chance(0.15)) {
    const name = random.pick(headerNames);
    headers[name] = name.startsWith('impersonate-') ? [random.pick(headerValues)] : random.pick(headerValues);
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

const operation = (random: RandomChoices): unknown => ({
  op: random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'zap']),
  path: random.pick([
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
  ...(random.chance(0.8) ? { value: junk(random, 3) } : {}),
  ...(random.chance(0.3) ? { from: random.pick(['/metadata', '/data', '', '/nowhere']) } : {}),
});
