import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../machinery/json/json.ts';
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
import { createListSchema, publishSchema } from './published-schema.ts';

const prefix = '#/definitions/';

/** Follows apiextensions-apiserver pkg/controller/openapi/builder/builder.go BuildOpenAPIV2. */
export function openapiV2(definition: JsonObject, version: string): JsonObject {
  const names = readDocumentNames(definition, version);
  const shared = new Map<string, JsonObject>();
  const paths: (readonly [path: string, item: JsonObject])[] = [];
  for (const item of createPaths(names)) {
    paths.push([item.path, pathItem(item, { names, shared })]);
  }
  const extensions = (kind: string): JsonObject => createExtensions(definition, version, kind);
  return {
    paths: Object.fromEntries(paths),
    definitions: {
      [names.schema]: {
        ...toSwaggerSchema(versionSchema(findVersion(definition, version))),
        ...extensions(names.kind),
      },
      [names.listSchema]: { ...createListSchema(names, names.schema, prefix), ...extensions(names.listKind) },
    },
    parameters: Object.fromEntries(shared),
  };
}

/** Old clients treat published fields as the only ones, so an open object publishes none. */
function toSwaggerSchema(schema: JsonObject): JsonObject {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return { type: 'object' };
  return publishSchema(stripSwaggerSchema(schema), prefix);
}

interface Document {
  readonly names: PathNames;
  /** Parameters referenced by operations. */
  readonly shared: Map<string, JsonObject>;
}

const pathItem = ({ operations, parameters }: PathItem, document: Document): JsonObject => ({
  ...Object.fromEntries(operations.map((operation) => [operation.method, operationObject(operation, document)])),
  parameters: parameters.map((parameter) => createParameter(parameter, document.shared)),
});

const patchTypes = ['application/json-patch+json', 'application/merge-patch+json', 'application/apply-patch+yaml'];

function operationObject(operation: OpenApiOperation, { names, shared }: Document): JsonObject {
  const { parameters, answer, codes, method } = operation;
  const responses = codes.map((code) => [
    code,
    { description: statusTexts[code], schema: { $ref: `${prefix}${answer}` } },
  ]);
  const all = [...createBody(operation, shared), ...parameters.map((parameter) => createParameter(parameter, shared))];
  return {
    description: operation.description,
    consumes: method === 'patch' ? patchTypes : documentMediaTypes,
    produces: documentMediaTypes,
    schemes: ['https'],
    tags: [operation.tag],
    operationId: operation.operationId,
    ...(all.length === 0 ? {} : { parameters: all }),
    responses: { ...Object.fromEntries(responses), 401: { description: 'Unauthorized' } },
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': groupVersionKind(names),
  };
}

/** Bodies common to all kinds. */
const sharedBodies: Readonly<Record<string, string>> = { patch: 'body-78PwaGsr', delete: 'body-2Y1dVQaQ' };

function createBody(
  { body, method, isBodyRequired }: OpenApiOperation,
  shared: Map<string, JsonObject>,
): readonly JsonObject[] {
  if (body === undefined) return [];
  const required = isBodyRequired ? { required: true } : {};
  const parameter = { name: 'body', in: 'body', ...required, schema: { $ref: `${prefix}${body}` } };
  const name = sharedBodies[method];
  return [name === undefined ? parameter : addSharedParameter(name, parameter, shared)];
}

/** Names end in a hash of the parameter. Follows kube-openapi pkg/builder/parameters.go. */
const sharedParameters: Readonly<Record<string, string>> = {
  allowWatchBookmarks: 'HC2hJt-J',
  continue: 'QfD61s0i',
  fieldSelector: 'xIcQKXFG',
  force: 'tOGGb0Yi',
  gracePeriodSeconds: '-K5HaBOS',
  ignoreStoreReadErrorWithClusterBreakingPotential: 'QbNkfIqj',
  labelSelector: '5Zw57w4C',
  limit: '1NfNmdNH',
  namespace: 'vgWSWtn3',
  orphanDependents: 'uRB25kX5',
  pretty: 'tJGM1-ng',
  propagationPolicy: '6jk3prlO',
  resourceVersion: '5WAnf1kx',
  resourceVersionMatch: 't8XhRHeC',
  sendInitialEvents: 'rLXlEK_k',
  shardSelector: 'Kgyki_3_',
  timeoutSeconds: 'yvYezaOC',
  watch: 'XNNPZGbK',
};

function createParameter(parameter: JsonObject, shared: Map<string, JsonObject>): JsonObject {
  const { schema, ...rest } = parameter;
  const whole: JsonObject = { ...asObject(schema), ...rest };
  const name = asString(rest['name']);
  const isOfPatch = name === 'fieldManager' && asString(rest['description']).includes('apply');
  const hash = name === 'fieldManager' ? (isOfPatch ? '7c6nTn1T' : 'Qy4HdaTW') : sharedParameters[name];
  return hash === undefined ? whole : addSharedParameter(`${name}-${hash}`, whole, shared);
}

function addSharedParameter(name: string, parameter: JsonObject, shared: Map<string, JsonObject>): JsonObject {
  shared.set(name, parameter);
  const $ref: JsonValue = `#/parameters/${name}`;
  return { $ref };
}

const unsupportedInSwagger = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'default',
  'nullable',
  'example',
  'externalDocs',
]);

/**
 * Drops what OpenAPI v2 cannot express; old clients reject nulls and unknown fields. Follows apiextensions-apiserver
 * pkg/controller/openapi/v2/conversion.go.
 */
function stripSwaggerSchema(schema: JsonObject): JsonObject {
  const isUntyped = schema['nullable'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const fields: [string, JsonValue | undefined][] = [];
  for (const [field, value] of Object.entries(schema)) {
    const isShape = field === 'items' || field === 'properties' || field === 'type';
    if (unsupportedInSwagger.has(field) || (isUntyped && isShape)) continue;
    fields.push([field, stripSwaggerField(field, value, schema)]);
  }
  return Object.fromEntries(fields);
}

function stripSwaggerField(field: string, value: JsonValue | undefined, schema: JsonObject): JsonValue | undefined {
  if (field === 'properties') return stripSwaggerProperties(asObject(value));
  if (field === 'required') return listRequired(schema);
  const isInside = (field === 'items' || field === 'additionalProperties') && isJsonObject(value);
  return isInside ? stripSwaggerSchema(value) : value;
}

function stripSwaggerProperties(properties: JsonObject): JsonObject {
  const fields: [string, JsonObject][] = [];
  for (const [name, schema] of Object.entries(properties)) fields.push([name, stripSwaggerSchema(asObject(schema))]);
  return Object.fromEntries(fields);
}

/** Nullable properties are optional. */
const listRequired = ({ required, properties }: JsonObject): readonly JsonValue[] =>
  asList(required).filter((name) => asObject(asObject(properties)[asString(name)])['nullable'] !== true);
