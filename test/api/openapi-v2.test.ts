import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { asObject, type JsonValue, valueAt } from '../../src/machinery/json/json.ts';
import { recordedRelease } from '../harness/recorded-release.ts';
import { emptySwaggerDocument, createSwaggerDocument } from '../../src/api/types/openapi/openapi-v2.ts';
import { encodeSwagger } from '../../src/adapters/http/openapi-v2-protobuf.ts';

const swagger = createSwaggerDocument(recordedRelease.createCatalogue());
const definition = (name: string, ...path: readonly string[]): JsonValue | undefined =>
  valueAt(swagger, 'definitions', `io.k8s.${name}`, ...path);
const deployment = '/apis/apps/v1/namespaces/{namespace}/deployments/{name}';

// Source: what kubectl 1.20 to 1.28 read (spec/kubectl.md section 4); api/openapi-spec/swagger.json of Kubernetes.
test.each([
  ['the version', swagger['swagger'], '2.0'],
  [
    'the kind of a definition',
    definition('api.apps.v1.Deployment', 'x-kubernetes-group-version-kind'),
    [{ group: 'apps', version: 'v1', kind: 'Deployment' }],
  ],
  [
    'a reference with siblings',
    definition('api.core.v1.Service', 'properties', 'spec'),
    { $ref: '#/definitions/io.k8s.api.core.v1.ServiceSpec' },
  ],
  [
    'items and merge keys',
    definition('api.core.v1.PodSpec', 'properties', 'containers'),
    {
      type: 'array',
      items: { $ref: '#/definitions/io.k8s.api.core.v1.Container' },
      'x-kubernetes-patch-merge-key': 'name',
    },
  ],
  ['a quantity is a text', definition('apimachinery.pkg.api.resource.Quantity'), { type: 'string' }],
  [
    'so is a number or text',
    definition('apimachinery.pkg.util.intstr.IntOrString'),
    { type: 'string', format: 'int-or-string' },
  ],
  [
    'the kind of a patch',
    valueAt(swagger, 'paths', deployment, 'patch', 'x-kubernetes-group-version-kind'),
    { group: 'apps', version: 'v1', kind: 'Deployment' },
  ],
  [
    'its parameters',
    valueAt(swagger, 'paths', deployment, 'patch', 'parameters'),
    expect.arrayContaining([
      { name: 'dryRun', in: 'query', type: 'string', uniqueItems: true },
      { name: 'fieldValidation', in: 'query', type: 'string', uniqueItems: true },
      expect.objectContaining({ name: 'body', in: 'body', required: true }),
    ]),
  ],
  [
    'its media types',
    valueAt(swagger, 'paths', deployment, 'patch', 'consumes'),
    expect.arrayContaining(['application/apply-patch+yaml', 'application/merge-patch+json']),
  ],
  [
    'the answer to a list',
    valueAt(swagger, 'paths', '/api/v1/pods', 'get', 'responses', '200', 'schema'),
    { $ref: '#/definitions/io.k8s.api.core.v1.PodList' },
  ],
])('%s', (_sentence, part, expected) => {
  expect({ part }).toMatchObject({ part: expected });
});

test('every reference leads somewhere, and nothing of version 3 is left', () => {
  const text = JSON.stringify(swagger);
  const references = new Set([...text.matchAll(/"#\/definitions\/([^"]+)"/g)].map(([, name]) => name ?? ''));
  const definitions = asObject(swagger['definitions']);
  expect([...references].filter((name) => !Object.hasOwn(definitions, name))).toEqual([]);
  expect(references.size).toBeGreaterThan(500);
  expect(/#\/components|"(?:one|all)Of":\[|"requestBody"/.exec(text)).toBeNull();
});

// The part of gnostic's openapiv2/OpenAPIv2.proto that is written, for a reader of another author.
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Any { string yaml = 2; }
  message NamedAny { string name = 1; Any value = 2; }
  message Info { string title = 1; string version = 2; }
  message AdditionalPropertiesItem { oneof oneof { Schema schema = 1; bool boolean = 2; } }
  message TypeItem { repeated string value = 1; }
  message ItemsItem { repeated Schema schema = 1; }
  message NamedSchema { string name = 1; Schema value = 2; }
  message Properties { repeated NamedSchema additional_properties = 1; }
  message Schema {
    string _ref = 1; string format = 2; string description = 4; Any default = 5; repeated string required = 19;
    repeated Any enum = 20; AdditionalPropertiesItem additional_properties = 21; TypeItem type = 22;
    ItemsItem items = 23; Properties properties = 25; repeated NamedAny vendor_extension = 31;
  }
  message BodyParameter { string name = 2; string in = 3; bool required = 4; Schema schema = 5; }
  message QueryParameterSubSchema { string in = 2; string name = 4; string type = 6; bool unique_items = 20; }
  message PathParameterSubSchema { bool required = 1; string in = 2; string name = 4; string type = 5; bool unique_items = 19; }
  message NonBodyParameter { oneof oneof {
    QueryParameterSubSchema query_parameter_sub_schema = 3; PathParameterSubSchema path_parameter_sub_schema = 4; } }
  message Parameter { oneof oneof { BodyParameter body_parameter = 1; NonBodyParameter non_body_parameter = 2; } }
  message ParametersItem { oneof oneof { Parameter parameter = 1; } }
  message SchemaItem { oneof oneof { Schema schema = 1; } }
  message Response { string description = 1; SchemaItem schema = 2; }
  message ResponseValue { oneof oneof { Response response = 1; } }
  message NamedResponseValue { string name = 1; ResponseValue value = 2; }
  message Responses { repeated NamedResponseValue response_code = 1; }
  message Operation {
    repeated string produces = 6; repeated string consumes = 7; repeated ParametersItem parameters = 8;
    Responses responses = 9; repeated NamedAny vendor_extension = 13;
  }
  message PathItem {
    Operation get = 2; Operation put = 3; Operation post = 4; Operation delete = 5; Operation patch = 8;
    repeated ParametersItem parameters = 9;
  }
  message NamedPathItem { string name = 1; PathItem value = 2; }
  message Paths { repeated NamedPathItem path = 2; }
  message Definitions { repeated NamedSchema additional_properties = 1; }
  message Document { string swagger = 1; Info info = 2; Paths paths = 8; Definitions definitions = 9; }
`);
const document = root.lookupType('Document');

test('the message says the same', async () => {
  const read = document.toObject(document.decode(await encodeSwagger(swagger)));
  const small = {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'v1' },
    paths: { '/api/v1/pods/{name}': asObject(valueAt(swagger, 'paths', '/api/v1/namespaces/{namespace}/pods/{name}')) },
    definitions: { Mode: { type: 'string', enum: ['A', 'B'], default: 'A' } },
  };
  const smallRead = document.toObject(document.decode(await encodeSwagger(small)));
  expect(Object.keys(asObject(swagger['definitions']))).toHaveLength(read['definitions'].additionalProperties.length);
  expect(Object.keys(asObject(swagger['paths']))).toHaveLength(read['paths'].path.length);
  expect(smallRead).toMatchObject({
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'v1' },
    definitions: {
      additionalProperties: [
        {
          name: 'Mode',
          value: { type: { value: ['string'] }, enum: [{ yaml: 'A\n' }, { yaml: 'B\n' }], default: { yaml: 'A\n' } },
        },
      ],
    },
    paths: {
      path: [
        {
          name: '/api/v1/pods/{name}',
          value: {
            parameters: [
              { parameter: { nonBodyParameter: { pathParameterSubSchema: { name: 'name', in: 'path' } } } },
              { parameter: { nonBodyParameter: { pathParameterSubSchema: { name: 'namespace', required: true } } } },
            ],
            patch: {
              consumes: expect.arrayContaining(['application/strategic-merge-patch+json']),
              parameters: expect.arrayContaining([
                { parameter: { bodyParameter: expect.objectContaining({ name: 'body', in: 'body' }) } },
                {
                  parameter: {
                    nonBodyParameter: {
                      queryParameterSubSchema: { name: 'dryRun', in: 'query', type: 'string', uniqueItems: true },
                    },
                  },
                },
              ]),
              responses: {
                responseCode: [
                  {
                    name: '200',
                    value: { response: { schema: { schema: { _ref: '#/definitions/io.k8s.api.core.v1.Pod' } } } },
                  },
                ],
              },
              vendorExtension: expect.arrayContaining([
                {
                  name: 'x-kubernetes-group-version-kind',
                  value: { yaml: 'group: ""\nkind: Pod\nversion: v1\n' },
                },
              ]),
            },
          },
        },
      ],
    },
  });
});

test('an empty document is the one kubectl 1.27 accepts', async () => {
  const bytes = await encodeSwagger(emptySwaggerDocument);
  expect(document.toObject(document.decode(bytes))).toMatchObject({ swagger: '2.0', paths: {} });
});

// Source: /openapi/v2 of kube-apiserver v1.36.2.
test('nothing has a default', () => {
  const properties = Object.values(asObject(swagger['definitions'])).flatMap((one) =>
    Object.values(asObject(asObject(one)['properties'])),
  );
  expect(properties.length).toBeGreaterThan(2000);
  expect(properties.filter((one) => Object.hasOwn(asObject(one), 'default'))).toEqual([]);
});
