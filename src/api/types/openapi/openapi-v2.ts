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
import { builtinDocuments } from './openapi.ts';

/**
 * `GET /openapi/v2`: all v3 documents as one Swagger document, with those of custom resources. Follows
 * k8s.io/kube-openapi pkg/builder.
 */
export function swaggerDocument(catalogue: Catalogue, own: readonly JsonObject[] = []): JsonObject {
  const [paths, definitions] = [new Map<string, JsonValue>(), new Map<string, JsonValue>()];
  let info: JsonObject = {};
  for (const document of builtinDocuments(catalogue)) {
    info = asObject(document['info']);
    addEach(paths, document['paths'], pathItemOf);
    addEach(definitions, asObject(document['components'])['schemas'], schemaOf);
  }
  const ownParts = (part: string): readonly JsonObject[] => own.map((document) => asObject(document[part]));
  return {
    swagger: '2.0',
    info,
    paths: merged(paths, ownParts('paths')),
    definitions: merged(definitions, ownParts('definitions')),
    ...(own.length === 0 ? {} : { parameters: merged([], ownParts('parameters')) }),
  };
}

function merged(first: Iterable<readonly [string, JsonValue]>, others: readonly JsonObject[]): JsonObject {
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

const pathItemOf = (item: JsonValue): JsonValue =>
  mapFields(asObject(item), (value, field) =>
    field === 'parameters' ? asList(value).map(parameterOf) : operationOf(asObject(value)),
  );

const produced = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

function operationOf({ parameters, requestBody, responses, ...rest }: JsonObject): JsonObject {
  const content = asObject(asObject(requestBody)['content']);
  const [type] = Object.keys(content);
  const body = type === undefined ? [] : [{ name: 'body', in: 'body', required: true, schema: schemaIn(content) }];
  return {
    ...rest,
    consumes: type === undefined ? ['*/*'] : Object.keys(content),
    produces: produced,
    parameters: [...body, ...asList(parameters).map(parameterOf)],
    responses: mapFields(asObject(responses), (response) => {
      const { description, content: answers } = asObject(response);
      return { description: asString(description), schema: schemaIn(asObject(answers)) };
    }),
  };
}

/** All media types have the same schema. */
function schemaIn(content: JsonObject): JsonValue {
  const [first] = Object.values(content);
  return schemaOf(asObject(first)['schema'] ?? {});
}

function parameterOf(parameter: JsonValue): JsonValue {
  const { schema, ...rest } = asObject(parameter);
  return { ...rest, ...asObject(schema) };
}

/** Unwraps allOf, drops oneOf and defaults. Follows kube-openapi pkg/handler PruneDefaults. */
function schemaOf(schema: JsonValue): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const { allOf, oneOf, default: _default, ...rest } = schema;
  const [only] = asList(allOf);
  return {
    ...mapFields(rest, (value, field) => {
      if (field === '$ref') return asString(value).replace('#/components/schemas/', '#/definitions/');
      if (field === 'properties') return mapFields(asObject(value), schemaOf);
      return field === 'items' || field === 'additionalProperties' ? schemaOf(value) : value;
    }),
    ...(only === undefined ? {} : asObject(schemaOf(only))),
    ...(oneOf === undefined ? {} : { type: 'string' }),
  };
}
