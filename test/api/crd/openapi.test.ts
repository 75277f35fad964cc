import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  valueAt,
} from '../../../src/machinery/json/json.ts';
import { openapiV2 } from '../../../src/api/crd/openapi/openapi-v2.ts';
import { openapiV3 } from '../../../src/api/crd/openapi/openapi-v3.ts';
import recorded from '../../facts/vectors/openapi-v3.json' with { type: 'json' };
import { recordedRelease } from '../../harness/recorded-release.ts';

const codec = recordedRelease.codec;
const kind = { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' };

function stored(definition: JsonObject): JsonObject {
  const decoded = codec.decodeValue(definition, kind);
  if (!('object' in decoded)) throw new Error('not a definition');
  return codec.applyDefaults(decoded.object);
}

function canonical(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonical(item)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}

const sha256 = (value: JsonValue | undefined): string => createHash('sha256').update(canonical(value)).digest('hex');

const documents: readonly { readonly definition: JsonObject; readonly sha256: JsonObject }[] = recorded;
const cases = documents.flatMap(({ definition, sha256: versions }) =>
  Object.entries(versions).map(([version, hashes]) => ({
    name: asString(valueAt(definition, 'metadata', 'name')),
    definition,
    version,
    hashes: asObject(hashes),
  })),
);

test.each(cases)('$name $version is published as upstream does', ({ definition, version, hashes }) => {
  const document = openapiV3(stored(definition), version);
  const schemas = asObject(valueAt(document, 'components', 'schemas'));
  const made = Object.keys(hashes).map((name) => [name, sha256(name === 'paths' ? document['paths'] : schemas[name])]);
  expect(Object.fromEntries(made)).toEqual(hashes);
});

const widgets = stored({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['maybe', 'size'],
            properties: {
              maybe: { type: 'string', nullable: true, description: 'May be null.' },
              size: { type: 'integer', default: 3, minimum: 1, oneOf: [{ minimum: 2 }] },
              open: {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
                properties: { a: { type: 'string' } },
              },
              port: { 'x-kubernetes-int-or-string': true },
              many: { type: 'array', items: { type: 'string', nullable: true } },
            },
          },
        },
      },
      {
        name: 'v2',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

test('a scale is described when there is one', () => {
  const document = openapiV3(widgets, 'v1');
  expect(valueAt(document, 'components', 'schemas', 'io.k8s.api.autoscaling.v1.ScaleSpec', 'properties')).toEqual({
    replicas: {
      type: 'integer',
      format: 'int32',
      default: 0,
      description: 'replicas is the desired number of instances for the scaled object.',
    },
  });
  expect(Object.keys(asObject(document['paths']))).toContain(
    '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}/scale',
  );
});

test('version 2 leaves out what it cannot say', () => {
  const schema = valueAt(openapiV2(widgets, 'v1'), 'definitions', 'com.example.v1.Widget');
  expect(valueAt(schema, 'required')).toEqual(['size']);
  const { apiVersion, kind: kindField, metadata, ...own } = asObject(valueAt(schema, 'properties'));
  expect([apiVersion, kindField, metadata].every(isJsonObject)).toBe(true);
  expect(own).toEqual({
    maybe: { description: 'May be null.' },
    size: { type: 'integer', minimum: 1 },
    open: { 'x-kubernetes-preserve-unknown-fields': true },
    port: { 'x-kubernetes-int-or-string': true },
    many: { type: 'array', items: {} },
  });
});

test('version 2 publishes no fields of an open object', () => {
  expect(valueAt(openapiV2(widgets, 'v2'), 'definitions', 'com.example.v2.Widget')).toEqual({
    type: 'object',
    'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Widget', version: 'v2' }],
  });
});

test('version 2 refers to the parameters that all operations have', () => {
  const document = openapiV2(widgets, 'v1');
  const path = valueAt(document, 'paths', '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}');
  expect(valueAt(path, 'get', 'parameters')).toEqual([{ $ref: '#/parameters/resourceVersion-5WAnf1kx' }]);
  const all = valueAt(document, 'paths', '/apis/example.com/v1/widgets', 'parameters');
  expect(asList(all).map((one) => Object.keys(asObject(one)))).toEqual(asList(all).map(() => ['$ref']));
  expect(all).toContainEqual({ $ref: '#/parameters/shardSelector-Kgyki_3_' });
  expect(valueAt(document, 'parameters', 'body-2Y1dVQaQ')).toEqual({
    name: 'body',
    in: 'body',
    schema: { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions' },
  });
});

// Source: the documents of 27 projects' kinds, recorded from a released kube-apiserver v1.36.2.
test('the schemas that all kinds share have no defaults for their items, and references to theirs are bare', () => {
  const schemas = valueAt(openapiV3(widgets, 'v1'), 'components', 'schemas');
  const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1';
  const field = (type: string, ...path: readonly string[]) =>
    valueAt(asObject(schemas), `${meta}.${type}`, 'properties', ...path);
  expect(field('DeleteOptions', 'dryRun', 'items')).toEqual({ type: 'string' });
  expect(field('ObjectMeta', 'labels', 'additionalProperties')).toEqual({ type: 'string' });
  expect(field('ObjectMeta', 'ownerReferences', 'items')).toEqual({
    $ref: `#/components/schemas/${meta}.OwnerReference`,
  });
});

// Source: apiserver pkg/endpoints/openapi/openapi.go GetOperationIDAndTags; compared with kube-apiserver v1.36.2.
test('the id of an operation begins each word with a capital, and a tag has no dashes', () => {
  const small = stored({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'postgresqls.acid.zalan.do' },
    spec: {
      group: 'acid.zalan.do',
      scope: 'Namespaced',
      names: { plural: 'postgresqls', singular: 'postgresql', kind: 'postgresql', listKind: 'postgresqlList' },
      versions: [{ name: 'v1-10-0', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const paths = asObject(openapiV3(small, 'v1-10-0')['paths']);
  const operation = (path: string, method: string): unknown => {
    const { operationId, tags } = asObject(asObject(paths[`/apis/acid.zalan.do/v1-10-0/${path}`])[method]);
    return [operationId, tags];
  };
  expect(operation('postgresqls', 'get')).toEqual([
    'listAcidZalanDoV1100PostgresqlForAllNamespaces',
    ['acidZalanDo_v1100'],
  ]);
  expect(operation('namespaces/{namespace}/postgresqls', 'get')).toEqual([
    'listAcidZalanDoV1100Namespacedpostgresql',
    ['acidZalanDo_v1100'],
  ]);
});
