import { expect, test } from 'vitest';
import { asObject, valueAt } from '../../src/machinery/json/json.ts';
import { createOpenapiDocument, hashOpenapi, createOpenapiIndex } from '../../src/api/types/openapi/openapi.ts';
import { parseDocument } from '../harness/parse-document.ts';
import { recordedRelease } from '../harness/recorded-release.ts';
import general from '../facts/vectors/openapi-general.json' with { type: 'json' };

const catalogue = recordedRelease.createCatalogue();
const apps = parseDocument(createOpenapiDocument(catalogue, 'apis/apps/v1'));
const core = parseDocument(createOpenapiDocument(catalogue, 'api/v1'));
const deployment = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}';

// spec/kubectl.md section 4.1: what kubectl reads in the document.
test.each([
  [
    'the kind of a patch',
    valueAt(apps, 'paths', deployment, 'patch', 'x-kubernetes-group-version-kind'),
    { group: 'apps', version: 'v1', kind: 'Deployment' },
  ],
  [
    'the kind of a get',
    valueAt(core, 'paths', '/api/v1/nodes/{name}', 'get', 'x-kubernetes-group-version-kind'),
    { group: '', version: 'v1', kind: 'Node' },
  ],
  [
    'strategic patches',
    valueAt(apps, 'paths', deployment, 'patch', 'requestBody', 'content', 'application/strategic-merge-patch+json'),
    { schema: {} },
  ],
  [
    'the kind of a schema',
    valueAt(apps, 'components', 'schemas', 'io.k8s.api.apps.v1.Deployment', 'x-kubernetes-group-version-kind'),
    [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
  ],
  [
    'merge keys',
    valueAt(core, 'components', 'schemas', 'io.k8s.api.core.v1.PodSpec', 'properties', 'containers'),
    { 'x-kubernetes-patch-merge-key': 'name', 'x-kubernetes-patch-strategy': 'merge' },
  ],
  [
    'the list of its resources',
    valueAt(apps, 'paths', '/apis/apps/v1/', 'get', 'responses', '200', 'content', 'application/json', 'schema'),
    { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList' },
  ],
  [
    'and the schema of that',
    valueAt(apps, 'components', 'schemas', 'io.k8s.apimachinery.pkg.apis.meta.v1.APIResourceList'),
    { required: ['groupVersion', 'resources'] },
  ],
  ['a list of every namespace', valueAt(core, 'paths', '/api/v1/pods', 'get'), { 'x-kubernetes-action': 'list' }],
  [
    'a subresource that is created',
    valueAt(
      core,
      'paths',
      '/api/v1/namespaces/{namespace}/pods/{name}/eviction',
      'post',
      'x-kubernetes-group-version-kind',
    ),
    { group: 'policy', kind: 'Eviction' },
  ],
  [
    'enums',
    valueAt(core, 'components', 'schemas', 'io.k8s.api.core.v1.Container', 'properties', 'imagePullPolicy'),
    { enum: ['Always', 'IfNotPresent', 'Never'] },
  ],
])('%s', (_sentence, part, expected) => {
  expect(part).toMatchObject(expected);
});

test.each(['fieldValidation', 'dryRun'])('a patch has the parameter %s', (name) => {
  expect(valueAt(apps, 'paths', deployment, 'patch', 'parameters')).toContainEqual({
    name,
    in: 'query',
    schema: { type: 'string', uniqueItems: true },
  });
});

test('every reference resolves to a schema', () => {
  const missing = Object.keys(asObject(createOpenapiIndex(catalogue)['paths'])).flatMap((path) => {
    const document = parseDocument(createOpenapiDocument(catalogue, path));
    const schemas = asObject(valueAt(document, 'components', 'schemas'));
    const references = JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g);
    return [...references].map(([, name = '']) => name).filter((name) => !Object.hasOwn(schemas, name));
  });
  expect(missing).toEqual([]);
});

test('the index names the hash of each document', () => {
  expect(valueAt(createOpenapiIndex(catalogue), 'paths', 'apis/apps/v1', 'serverRelativeURL')).toBe(
    `/openapi/v3/apis/apps/v1?hash=${hashOpenapi(catalogue, 'apis/apps/v1')}`,
  );
  expect(hashOpenapi(catalogue, 'apis/apps/v1')).not.toBe(hashOpenapi(catalogue, 'api/v1'));
});

test('what is not served has no document', () => {
  expect(parseDocument(createOpenapiDocument(catalogue, 'apis/apps/v2'))).toBeUndefined();
  expect(hashOpenapi(catalogue, 'apis/apps/v2')).toBeUndefined();
});

// What kube-apiserver v1.36.2 shows there, without descriptions, tags, ids of operations and security.
test.each(Object.entries(general))('the document of %s', (path, document) => {
  expect(parseDocument(createOpenapiDocument(catalogue, path))).toEqual(document);
  expect(hashOpenapi(catalogue, path, ['openid/v1/jwks', '.well-known/openid-configuration'])).toMatch(/^[0-9A-F]+$/i);
});

test('the index has documents of groups, and those of an issuer where there is one', () => {
  const paths = (more?: readonly string[]): readonly string[] =>
    Object.keys(asObject(createOpenapiIndex(catalogue, more)['paths']));
  expect(paths()).toEqual(paths().toSorted());
  expect(paths()).toEqual(
    expect.arrayContaining(['version', 'api', 'apis', 'apis/apps', 'apis/rbac.authorization.k8s.io']),
  );
  expect(paths()).not.toContain('apis/');
  expect(paths(['openid/v1/jwks'])).toEqual([...paths(), 'openid/v1/jwks'].toSorted());
  expect(hashOpenapi(catalogue, 'openid/v1/jwks')).toBeUndefined();
});

// Source: /openapi/v3 of kube-apiserver v1.36.2, whose 1,700 defaults were compared.
const objectMeta = { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
test.each([
  ['a text that is always printed', ['Container', 'properties', 'name'], { type: 'string', default: '' }],
  ['a text that need not be', ['Container', 'properties', 'image'], { type: 'string' }],
  [
    'one of which a default is declared',
    ['LocalObjectReference', 'properties', 'name'],
    { type: 'string', default: '' },
  ],
  ['a number', ['ContainerPort', 'properties', 'containerPort'], { type: 'integer', format: 'int32', default: 0 }],
  ['a truth value', ['ContainerStatus', 'properties', 'ready'], { type: 'boolean', default: false }],
  ['a struct', ['Pod', 'properties', 'metadata'], { allOf: [objectMeta], default: {} }],
  [
    'a pointer',
    ['PodSpec', 'properties', 'dnsConfig'],
    { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.PodDNSConfig' }] },
  ],
  ['items of a list', ['Container', 'properties', 'args', 'items'], { type: 'string', default: '' }],
  [
    'structs of a list',
    ['PodSpec', 'properties', 'containers', 'items'],
    { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.Container' }], default: {} },
  ],
  ['values of a map', ['ConfigMap', 'properties', 'data', 'additionalProperties'], { type: 'string', default: '' }],
])('defaults are published: %s', (_what, [type = '', ...path], expected) => {
  expect(valueAt(core, 'components', 'schemas', `io.k8s.api.core.v1.${type}`, ...path)).toEqual(expected);
});
