import type { JsonObject, JsonValue } from '../../../machinery/json/json.ts';
import { versionSchema, findVersion } from '../definition/internal-spec.ts';
import {
  readDocumentNames,
  createExtensions,
  groupVersionKind,
  type OpenApiOperation,
  type PathItem,
  type PathNames,
  createPaths,
  statusTexts,
  documentMediaTypes,
} from './paths.ts';
import { createListSchema, publishSchema, typeMetaProperties, conventions } from './published-schema.ts';

import sharedSchemas from './shared-schemas.json' with { type: 'json' };

const prefix = '#/components/schemas/';
const shared: JsonObject = sharedSchemas;

/** Follows apiextensions-apiserver pkg/controller/openapi/builder/builder.go BuildOpenAPIV3. */
export function openapiV3(definition: JsonObject, version: string): JsonObject {
  const names = readDocumentNames(definition, version);
  const { kind, listKind } = names;
  const extensions = (of: string): JsonObject => createExtensions(definition, version, of);
  const schema = publishSchema(versionSchema(findVersion(definition, version)), prefix);
  const schemas = {
    ...shared,
    ...(names.hasScale ? scaleSchemas : {}),
    [names.schema]: { ...schema, ...extensions(kind) },
    [names.listSchema]: { ...createListSchema(names, names.schema, prefix), ...extensions(listKind) },
  };
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
    paths: sortByName(Object.fromEntries(createPaths(names).map((item) => [item.path, pathItem(item, names)]))),
    components: { schemas: sortByName(schemas) },
  };
}

const sortByName = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

const pathItem = ({ operations, parameters }: PathItem, names: PathNames): JsonObject => ({
  ...Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation, names)])),
  parameters,
});

function operationObject(operation: OpenApiOperation, names: PathNames): JsonObject {
  const { parameters, body, consumes, isBodyRequired, answer, codes } = operation;
  const responses = codes.map((code) => [
    code,
    { description: statusTexts[code], content: content(documentMediaTypes, answer) },
  ]);
  return {
    tags: [operation.tag],
    description: operation.description,
    operationId: operation.operationId,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { content: content(consumes, body), ...(isBodyRequired ? { required: true } : {}) } }),
    responses: { ...Object.fromEntries(responses), 401: { description: 'Unauthorized' } },
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': groupVersionKind(names),
  };
}

const content = (types: readonly string[], schema: string): JsonValue =>
  Object.fromEntries(types.map((type) => [type, { schema: { $ref: `${prefix}${schema}` } }]));

const objectMetaSchema = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const schemaReference = (name: string, description: string): JsonObject => ({
  description,
  default: {},
  allOf: [{ $ref: `${prefix}${name}` }],
});

/** Follows kubernetes staging/src/k8s.io/api/autoscaling/v1/types.go. */
const scaleSchemas: JsonObject = {
  'io.k8s.api.autoscaling.v1.Scale': {
    description: 'Scale represents a scaling request for a resource.',
    type: 'object',
    properties: {
      ...typeMetaProperties,
      metadata: schemaReference(objectMetaSchema, `Standard object metadata; More info: ${conventions}#metadata.`),
      spec: schemaReference(
        'io.k8s.api.autoscaling.v1.ScaleSpec',
        `spec defines the behavior of the scale. More info: ${conventions}#spec-and-status.`,
      ),
      status: schemaReference(
        'io.k8s.api.autoscaling.v1.ScaleStatus',
        `status is the current status of the scale. More info: ${conventions}#spec-and-status. Read-only.`,
      ),
    },
    'x-kubernetes-group-version-kind': [{ group: 'autoscaling', kind: 'Scale', version: 'v1' }],
  },
  'io.k8s.api.autoscaling.v1.ScaleSpec': {
    description: 'ScaleSpec describes the attributes of a scale subresource.',
    type: 'object',
    properties: {
      replicas: {
        description: 'replicas is the desired number of instances for the scaled object.',
        type: 'integer',
        format: 'int32',
        default: 0,
      },
    },
  },
  'io.k8s.api.autoscaling.v1.ScaleStatus': {
    description: 'ScaleStatus represents the current status of a scale subresource.',
    type: 'object',
    required: ['replicas'],
    properties: {
      replicas: {
        description: 'replicas is the actual number of observed instances of the scaled object.',
        type: 'integer',
        format: 'int32',
        default: 0,
      },
      selector: {
        description:
          'selector is the label query over pods that should match the replicas count. This is same as the label selector but in the string format to avoid introspection by clients. The string will be in the same format as the query-param syntax. More info about label selectors: https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/',
        type: 'string',
      },
    },
  },
};
