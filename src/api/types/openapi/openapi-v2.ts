import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  setOwn,
} from '../../../machinery/json/json.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { createBuiltinDocuments } from './openapi.ts';

/**
 * `GET /openapi/v2`: all v3 documents as one Swagger document, with those of custom resources. Follows
 * k8s.io/kube-openapi pkg/builder.
 */
export function createSwaggerDocument(catalogue: Catalogue, own: readonly JsonObject[] = []): JsonObject {
  const [paths, definitions] = [new Map<string, JsonValue>(), new Map<string, JsonValue>()];
  let info: JsonObject = {};
  for (const document of createBuiltinDocuments(catalogue)) {
    info = asObject(document['info']);
    addEach(paths, document['paths'], convertPathItem);
    addEach(definitions, asObject(document['components'])['schemas'], convertSchema);
  }
  const ownParts = (part: string): readonly JsonObject[] => own.map((document) => asObject(document[part]));
  return {
    swagger: '2.0',
    info,
    paths: mergeInto(paths, ownParts('paths')),
    definitions: mergeInto(definitions, ownParts('definitions')),
    ...(own.length === 0 ? {} : { parameters: mergeInto([], ownParts('parameters')) }),
  };
}

function mergeInto(first: Iterable<readonly [string, JsonValue]>, others: readonly JsonObject[]): JsonObject {
  const all: JsonObject = Object.fromEntries(first);
  for (const other of others) {
    for (const [name, value] of Object.entries(other)) setOwn(all, name, value);
  }
  return all;
}

/** Documents share schemas of the same name. */
function addEach(
  all: Map<string, JsonValue>,
  more: JsonValue | undefined,
  change: (value: JsonValue) => JsonValue,
): void {
  for (const [name, value] of Object.entries(asObject(more))) {
    if (value !== undefined && !all.has(name)) all.set(name, change(value));
  }
}

/** A valid, empty document for clients that require one. */
export const emptySwaggerDocument: JsonObject = {
  swagger: '2.0',
  info: { title: 'Kubernetes', version: 'unversioned' },
  paths: {},
};

const mapFields = (object: JsonObject, change: (value: JsonValue, field: string) => JsonValue): JsonObject =>
  Object.fromEntries(
    Object.entries(object).flatMap(([field, value]) => (value === undefined ? [] : [[field, change(value, field)]])),
  );

const convertPathItem = (item: JsonValue): JsonValue =>
  mapFields(asObject(item), (value, field) =>
    field === 'parameters' ? asList(value).map(convertParameter) : convertOperation(asObject(value)),
  );

const mediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

function convertOperation({ parameters, requestBody, responses, ...rest }: JsonObject): JsonObject {
  const content = asObject(asObject(requestBody)['content']);
  const [type] = Object.keys(content);
  const body =
    type === undefined ? [] : [{ name: 'body', in: 'body', required: true, schema: convertContentSchema(content) }];
  return {
    ...rest,
    consumes: type === undefined ? ['*/*'] : Object.keys(content),
    produces: mediaTypes,
    parameters: [...body, ...asList(parameters).map(convertParameter)],
    responses: mapFields(asObject(responses), (response) => {
      const { description, content: responseContent } = asObject(response);
      return { description: asString(description), schema: convertContentSchema(asObject(responseContent)) };
    }),
  };
}

/** All media types have the same schema. */
function convertContentSchema(content: JsonObject): JsonValue {
  const [first] = Object.values(content);
  return convertSchema(asObject(first)['schema'] ?? {});
}

function convertParameter(parameter: JsonValue): JsonValue {
  const { schema, ...rest } = asObject(parameter);
  return { ...rest, ...asObject(schema) };
}

/** Unwraps allOf, drops oneOf and defaults. Follows kube-openapi pkg/handler PruneDefaults. */
function convertSchema(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const { allOf, oneOf, default: _default, ...rest } = schema;
  const [only] = asList(allOf);
  return {
    ...mapFields(rest, (value, field) => {
      if (field === '$ref') return asString(value).replace('#/components/schemas/', '#/definitions/');
      if (field === 'properties') return mapFields(asObject(value), convertSchema);
      return field === 'items' || field === 'additionalProperties' ? convertSchema(value) : value;
    }),
    ...(only === undefined ? {} : asObject(convertSchema(only))),
    ...(oneOf === undefined ? {} : { type: 'string' }),
  };
}
