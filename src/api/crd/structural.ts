import {
  asList,
  asObject,
  asString,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../machinery/json/json.ts';
import { once, readOnce } from '../../machinery/once.ts';

/** Lazy: big schemas have thousands of nodes. */
export interface Properties<T> {
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
  readonly get: (name: string) => T | undefined;
}

export function readProperties<T>(json: JsonValue | undefined, read: (schema: JsonObject) => T): Properties<T> {
  const properties = asObject(json);
  // Not a WeakMap by schema: one for all nodes of hundreds of definitions is slow to grow.
  const known = new Map<string, T>();
  return {
    names: Object.keys(properties),
    has: (name) => Object.hasOwn(properties, name),
    get: (name) => {
      const before = known.get(name);
      if (before !== undefined || !Object.hasOwn(properties, name)) return before;
      const fresh = read(asObject(properties[name]));
      known.set(name, fresh);
      return fresh;
    },
  };
}

/** additionalProperties: a schema or a boolean. */
export const readAdditional = <T>(
  json: JsonValue | undefined,
  read: (schema: JsonObject) => T,
): T | boolean | undefined => (isJsonObject(json) ? read(json) : typeof json === 'boolean' ? json : undefined);

interface SchemaFeatures {
  readonly defaults: boolean;
  /** Lists of type set or map. */
  readonly keyedLists: boolean;
  readonly embedded: boolean;
  readonly rules: boolean;
}

const allFeatures: SchemaFeatures = { defaults: true, keyedLists: true, embedded: true, rules: true };

/** Searches only for features of the outer schema. */
function readFeatures(json: JsonObject, outer: SchemaFeatures): SchemaFeatures {
  const found = { defaults: false, keyedLists: false, embedded: false, rules: false };
  collectFeatures(json, outer, found);
  return found;
}

type MutableFeatures = { -readonly [What in keyof SchemaFeatures]: boolean };

function collectFeatures(json: JsonObject, outer: SchemaFeatures, found: MutableFeatures): void {
  const listType = json['x-kubernetes-list-type'];
  found.defaults ||= json['default'] !== undefined && json['default'] !== null;
  found.keyedLists ||= listType === 'set' || listType === 'map';
  found.embedded ||= json['x-kubernetes-embedded-resource'] === true;
  found.rules ||= asList(json['x-kubernetes-validations']).length > 0;
  if (hasAllFeatures(found, outer)) return;
  const { properties } = json;
  if (isJsonObject(properties)) for (const name in properties) collectFromChild(properties[name], outer, found);
  collectFromChild(json['additionalProperties'], outer, found);
  collectFromChild(json['items'], outer, found);
}

function collectFromChild(child: JsonValue | undefined, outer: SchemaFeatures, found: MutableFeatures): void {
  if (isJsonObject(child) && !hasAllFeatures(found, outer)) collectFeatures(child, outer, found);
}

const hasAllFeatures = (found: SchemaFeatures, outer: SchemaFeatures): boolean =>
  (found.defaults || !outer.defaults) &&
  (found.keyedLists || !outer.keyedLists) &&
  (found.embedded || !outer.embedded) &&
  (found.rules || !outer.rules);

/** A node of a structural schema. instances/value-schema.ts reads the value validations from `json`. */
export interface Structural {
  readonly json: JsonObject;
  readonly type: string;
  readonly nullable: boolean;
  /** `null` counts as none. */
  readonly defaultValue: JsonValue | undefined;
  readonly properties: Properties<Structural>;
  readonly defaulted: () => readonly DefaultedProperty[];
  readonly additional: Structural | boolean | undefined;
  readonly items: Structural | undefined;
  readonly preservesUnknown: boolean;
  readonly embedded: boolean;
  readonly intOrString: boolean;
  readonly listType: string;
  readonly listMapKeys: readonly string[];
  readonly mapType: string;
  /** Lets recursive functions return early. */
  readonly features: SchemaFeatures;
}

export interface DefaultedProperty {
  readonly name: string;
  readonly schema: Structural;
}

/** Cached per schema, its nodes lazy. Follows apiextensions-apiserver pkg/apiserver/schema/convert.go. */
export const readStructural: (json: JsonObject) => Structural = readOnce((json) => createStructural(json, allFeatures));

function createStructural(json: JsonObject, outer: SchemaFeatures): Structural {
  const { items, default: defaultValue } = json;
  const features = readFeatures(json, outer);
  const inner = (child: JsonObject): Structural => createStructural(child, features);
  const properties = readProperties(json['properties'], inner);
  return {
    json,
    type: asString(json['type']),
    nullable: json['nullable'] === true,
    defaultValue: defaultValue === null ? undefined : defaultValue,
    properties,
    defaulted: once(() => listDefaulted(properties)),
    additional: readAdditional(json['additionalProperties'], inner),
    items: isJsonObject(items) ? inner(items) : undefined,
    preservesUnknown: json['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: json['x-kubernetes-embedded-resource'] === true,
    intOrString: json['x-kubernetes-int-or-string'] === true,
    listType: asString(json['x-kubernetes-list-type']),
    listMapKeys: asList(json['x-kubernetes-list-map-keys']).map(asString),
    mapType: asString(json['x-kubernetes-map-type']),
    features,
  };
}

function listDefaulted(properties: Properties<Structural>): readonly DefaultedProperty[] {
  return properties.names.flatMap((name) => {
    const schema = properties.get(name);
    return schema?.defaultValue === undefined ? [] : [{ name, schema }];
  });
}

export const additionalSchema = ({ additional }: Structural): Structural | undefined =>
  typeof additional === 'object' ? additional : undefined;

export const fieldSchema = (schema: Structural, field: string): Structural | undefined =>
  schema.properties.get(field) ?? additionalSchema(schema);

export const isTypeOrObjectMeta = (field: string): boolean =>
  field === 'apiVersion' || field === 'kind' || field === 'metadata';

export function asResource(schema: Structural): Structural {
  return schema.embedded ? schema : { ...schema, embedded: true, features: { ...schema.features, embedded: true } };
}
