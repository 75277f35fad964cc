import { drawer, type Drawer } from './drawer.ts';
import { junk, metadataFields, mutated, names, oddTexts, specFields, spoiled } from './hostile-value.ts';
import { deletion, type Sample, samples, type SubresourceWrite, subresourceWrites } from './hostile-samples.ts';
import { adminUser } from './world.ts';
import type { Random } from '../../src/machinery/clock.ts';
import type { ApiRequest } from '../../src/apiserver/request/api-request.ts';

/** A request that is nearly right, or not at all, drawn from lists of what breaks servers. */
export function hostileRequest(random: Random, count: number, now: number): ApiRequest {
  const draw = drawer(random);
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
    signal: new AbortController().signal,
  };
}

interface Sketch {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A write or read that a client could have meant, with a few places of its body spoiled. */
function nearlyRight(draw: Drawer): Sketch {
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

function patch(draw: Drawer, path: string, body: object): Sketch {
  const contentType = draw.one(patchTypes);
  const document = contentType.includes('json-patch') ? [operation(draw), operation(draw)] : body;
  return { ...sketchOf(draw, 'PATCH', path, document), contentType };
}

function onSubresource(draw: Drawer, name: string, body: object): Sketch {
  const [method, path, template] = draw.one<readonly [SubresourceWrite, ...SubresourceWrite[]]>(subresourceWrites);
  const meta = { metadata: { name } };
  const document = template === null ? body : { ...template, ...meta };
  return sketchOf(draw, method, path.replace('NAME', name), document);
}

function sketchOf(draw: Drawer, method: string, path: string, document: object): Sketch {
  let value: unknown = document;
  while (draw.chance(0.55)) value = mutated(draw, value);
  const contentType =
    method === 'PATCH' ? draw.one(patchTypes) : draw.one(['application/json', 'application/json', 'application/yaml']);
  return { method, path, contentType, body: new TextEncoder().encode(JSON.stringify(value)) };
}

const wild = (draw: Drawer): Sketch => {
  const method = draw.chance(0.97) ? draw.one(methods) : draw.one(oddTexts);
  const contentType = draw.chance(0.8) ? usualType(method, draw) : draw.one(contentTypes);
  return { method, path: pathOf(draw), contentType, body: bodyOf(draw, contentType) };
};

const usualType = (method: string, draw: Drawer): string =>
  method === 'PATCH' ? draw.one(patchTypes) : draw.one(['application/json', 'application/yaml']);

const methods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'OPTIONS',
  'TRACE',
  'get',
] as const;

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

const collections = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/services',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces/default/serviceaccounts',
  '/api/v1/namespaces/default/events',
  '/api/v1/namespaces/default/replicationcontrollers',
  '/api/v1/namespaces',
  '/api/v1/nodes',
  '/api/v1/pods',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/apps/v1/namespaces/default/statefulsets',
  '/apis/batch/v1/namespaces/default/jobs',
  '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations',
  '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
  '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
  '/apis/authentication.k8s.io/v1/tokenreviews',
  '/apis/policy/v1/namespaces/default/poddisruptionbudgets',
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
  '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
  '/apis/certificates.k8s.io/v1/certificatesigningrequests',
  '/apis/storage.k8s.io/v1/storageclasses',
  '/api/v1/namespaces/default/bindings',
] as const;

const subresources = [
  'status',
  'scale',
  'eviction',
  'binding',
  'token',
  'exec',
  'log',
  'proxy',
  'finalize',
  'ephemeralcontainers',
  'resize',
  'approval',
  'portforward',
] as const;

function pathOf(draw: Drawer): string {
  if (draw.chance(0.03))
    return draw.one(['', '/', '//', '/api', '/apis', '/api/v1', '/api//v1', '/apis/apps', '/healthz']);
  const name = draw.chance(0.85) ? draw.one(names) : draw.one(oddTexts);
  const parts: string[] = [draw.one(collections)];
  if (draw.chance(0.6)) parts.push(name);
  if (draw.chance(0.25)) parts.push(draw.chance(0.8) ? draw.one(subresources) : draw.one(oddTexts));
  if (draw.chance(0.05)) parts.push(draw.one(oddTexts));
  const path = parts.join('/');
  if (draw.chance(0.05)) return path.replace(/\/([^/]+)\//, `/${draw.one(oddTexts)}/`);
  if (draw.chance(0.04)) return path.replace('/v1/', '/v1/watch/');
  return draw.chance(0.03) ? path.replaceAll('/', '//') : path;
}

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

function queryOf(draw: Drawer): URLSearchParams {
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

function headersOf(draw: Drawer, contentType: string): ApiRequest['headers'] {
  const headers: Record<string, string | readonly string[]> = Object.create(null);
  if (contentType !== '') headers['content-type'] = contentType;
  while (draw.chance(0.15)) {
    const name = draw.one(headerNames);
    headers[name] = name.startsWith('impersonate-') ? [draw.one(headerValues)] : draw.one(headerValues);
  }
  return headers;
}

/** Bodies as text: most are nearly an object of some kind, with one place spoiled. */
function bodyOf(draw: Drawer, contentType: string): Uint8Array {
  if (draw.chance(0.05)) return new Uint8Array();
  if (draw.chance(0.06)) return Uint8Array.from({ length: draw.upTo(200) }, () => draw.upTo(255));
  if (contentType.includes('protobuf'))
    return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...Array.from({ length: draw.upTo(80) }, () => draw.upTo(255))]);
  const text = draw.chance(0.12) ? draw.one(oddBodies) : JSON.stringify(valueFor(draw, contentType));
  return new TextEncoder().encode(draw.chance(0.2) ? spoiled(draw, text) : text);
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

const kinds = [
  ['v1', 'ConfigMap'],
  ['v1', 'Pod'],
  ['v1', 'Service'],
  ['v1', 'Secret'],
  ['v1', 'Namespace'],
  ['apps/v1', 'Deployment'],
  ['autoscaling/v1', 'Scale'],
  ['policy/v1', 'Eviction'],
  ['v1', 'Binding'],
  ['batch/v1', 'Job'],
  ['v1', 'DeleteOptions'],
  ['v1', 'List'],
  ['meta.k8s.io/v1', 'DeleteOptions'],
  ['', ''],
  ['a/b/c', '__proto__'],
] as const;

function valueFor(draw: Drawer, contentType: string): unknown {
  if (contentType.includes('json-patch')) return Array.from({ length: draw.upTo(3) }, () => operation(draw));
  const [apiVersion, kind] = draw.one(kinds);
  const typed = draw.chance(0.3) ? { apiVersion, kind } : {};
  const value: Record<string, unknown> = { ...typed, metadata: metadata(draw) };
  while (draw.chance(0.7)) value[draw.one(sections)] = section(draw);
  return value;
}

const operation = (draw: Drawer): unknown => ({
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

function metadata(draw: Drawer): unknown {
  if (draw.chance(0.05)) return junk(draw, 2);
  const value: Record<string, unknown> = {};
  if (draw.chance(0.8)) value['name'] = draw.chance(0.85) ? draw.one(names) : draw.one(oddTexts);
  while (draw.chance(0.35)) value[draw.one(metadataFields)] = junk(draw, 3);
  return value;
}

const sections = [
  'spec',
  'data',
  'status',
  'type',
  'rules',
  'subjects',
  'roleRef',
  'webhooks',
  'stringData',
  'binaryData',
  'target',
  'deleteOptions',
  'preconditions',
  'propagationPolicy',
  'dryRun',
  'involvedObject',
  'provisioner',
] as const;

function section(draw: Drawer): unknown {
  if (draw.chance(0.2)) return junk(draw, 4);
  const value: Record<string, unknown> = {};
  while (draw.chance(0.7)) value[draw.one(specFields)] = draw.chance(0.5) ? likely(draw) : junk(draw, 4);
  return value;
}

/** Values that pass the first checks, so that later ones are met too. */
const likely = (draw: Drawer): unknown =>
  draw.one<readonly [unknown, ...unknown[]]>([
    1,
    '1',
    [{ name: 'c', image: 'i', ports: [{ containerPort: 1 }] }],
    { matchLabels: { a: 'b' } },
    { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    [{ port: 80 }],
    [null],
    [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    { verb: 'get', resource: 'pods' },
    'Recreate',
    true,
  ]);
