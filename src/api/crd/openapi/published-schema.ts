import { asList, asObject, isJsonObject, type JsonObject, type JsonValue } from '../../../machinery/json/json.ts';

export type RefPrefix = '#/components/schemas/' | '#/definitions/';

export const conventions = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

export const typeMetaProperties: JsonObject = {
  apiVersion: {
    description: `APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
};

const metaPackage = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** OpenAPI v3 wraps a reference to give it a description. */
export const describeObjectMeta = (description: string, name: string, prefix: RefPrefix): JsonObject =>
  prefix === '#/definitions/'
    ? { description, $ref: `${prefix}${name}` }
    : { description, allOf: [{ $ref: `${prefix}${name}` }] };

const objectMeta = (prefix: RefPrefix): JsonObject =>
  describeObjectMeta(
    `Standard object's metadata. More info: ${conventions}#metadata`,
    `${metaPackage}.ObjectMeta`,
    prefix,
  );

/**
 * Follows apiextensions-apiserver pkg/controller/openapi/builder/builder.go and pkg/apiserver/schema/kubeopenapi.go.
 */
export function publishSchema(schema: JsonObject, prefix: RefPrefix): JsonObject {
  const published = publishNode(schema, prefix);
  return {
    ...published,
    properties: { ...asObject(published['properties']), ...typeMetaProperties, metadata: objectMeta(prefix) },
  };
}

/** Fields copied unless false, '' or empty. */
const plainSchema = [
  'description',
  'type',
  'format',
  'title',
  'default',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'multipleOf',
  'enum',
  'maxProperties',
  'minProperties',
  'required',
  'nullable',
  'externalDocs',
  'example',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;

const isSet = (value: JsonValue | undefined, field: string): boolean => {
  if (value === undefined || value === null) return false;
  if (field === 'default' || field === 'example') return true;
  return value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);
};

const intOrString: readonly JsonObject[] = [{ type: 'integer' }, { type: 'string' }];

function publishNode(schema: JsonObject, prefix: RefPrefix): JsonObject {
  const node: Record<string, JsonValue | undefined> = {};
  for (const field of plainSchema) if (isSet(schema[field], field)) node[field] = schema[field];
  const { items, properties, additionalProperties: additional, not } = schema;
  for (const field of ['allOf', 'anyOf', 'oneOf']) {
    const branches = asList(schema[field]);
    if (branches.length > 0) node[field] = publishBranches(branches, prefix);
  }
  if (isJsonObject(not)) node['not'] = publishNode(not, prefix);
  if (isJsonObject(items)) node['items'] = publishNode(items, prefix);
  if (isJsonObject(properties) && Object.keys(properties).length > 0) {
    node['properties'] = publishProperties(properties, prefix);
  }
  if (isJsonObject(additional)) node['additionalProperties'] = publishNode(additional, prefix);
  else if (typeof additional === 'boolean') node['additionalProperties'] = additional;
  return addEmbeddedMeta(prefix === '#/definitions/' ? node : unfoldIntOrString(node), prefix);
}

function publishBranches(branches: readonly JsonValue[], prefix: RefPrefix): readonly JsonObject[] {
  const published: JsonObject[] = [];
  for (const branch of branches) published.push(publishNode(asObject(branch), prefix));
  return published;
}

function publishProperties(properties: JsonObject, prefix: RefPrefix): JsonObject {
  const published: [string, JsonObject][] = [];
  for (const name of Object.keys(properties).toSorted()) {
    published.push([name, publishNode(asObject(properties[name]), prefix)]);
  }
  return Object.fromEntries(published);
}

/** Spells out the two types of an int-or-string. Follows pkg/apiserver/schema/unfold.go. */
function unfoldIntOrString(node: JsonObject): JsonObject {
  if (node['x-kubernetes-int-or-string'] !== true || hasExplicitIntOrString(node)) return node;
  if (node['anyOf'] === undefined) return { ...node, anyOf: intOrString };
  return { ...node, allOf: [{ anyOf: intOrString }, ...asList(node['allOf'])] };
}

function hasExplicitIntOrString(node: JsonObject): boolean {
  const is = (branches: JsonValue | undefined): boolean => JSON.stringify(branches) === JSON.stringify(intOrString);
  return is(node['anyOf']) || is(asObject(asList(node['allOf'])[0])['anyOf']);
}

function addEmbeddedMeta(node: JsonObject, prefix: RefPrefix): JsonObject {
  if (node['x-kubernetes-embedded-resource'] !== true) return node;
  if (prefix === '#/definitions/' && node['x-kubernetes-preserve-unknown-fields'] === true) return node;
  const required = asList(node['required']);
  return {
    ...node,
    required: [...required, ...['kind', 'apiVersion'].filter((field) => !required.includes(field))],
    properties: { ...asObject(node['properties']), ...embeddedMeta, metadata: objectMeta(prefix) },
  };
}

const embeddedMeta: JsonObject = {
  apiVersion: {
    description: `apiVersion defines the versioned schema of this representation of an object. More info: ${conventions}#resources`,
    type: 'string',
  },
  kind: {
    description: `kind is a string value representing the type of this object. In CamelCase. More info: ${conventions}#types-kinds`,
    type: 'string',
  },
};

export const createListSchema = (names: ListNames, name: string, prefix: RefPrefix): JsonObject => ({
  description: `${names.listKind} is a list of ${names.kind}`,
  type: 'object',
  required: ['items'],
  properties: {
    ...typeMetaProperties,
    items: {
      description: `List of ${names.plural}. More info: ${conventions}`,
      type: 'array',
      items: { $ref: `${prefix}${name}` },
    },
    metadata: describeObjectMeta(
      `Standard list metadata. More info: ${conventions}#types-kinds`,
      `${metaPackage}.ListMeta`,
      prefix,
    ),
  },
});

export interface ListNames {
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
}
