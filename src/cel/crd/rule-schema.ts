import { asList, asObject, asString, type JsonObject, type JsonValue } from '../../machinery/json/json.ts';

/** The parts of a structural schema that typed expressions need. */
export interface RuleSchema {
  readonly type: string;
  readonly format: string;
  readonly nullable: boolean;
  readonly intOrString: boolean;
  readonly preserveUnknown: boolean;
  readonly embedded: boolean;
  /** Undefined when the schema has none, which is not the same as an empty one. */
  readonly properties: ReadonlyMap<string, RuleSchema> | undefined;
  readonly additional: RuleSchema | undefined;
  readonly items: RuleSchema | undefined;
  readonly required: ReadonlySet<string>;
  readonly hasDefault: boolean;
  readonly texts: readonly string[];
  readonly isEnum: boolean;
  readonly listType: string;
  readonly mapKeys: readonly string[];
  readonly maxLength: number | undefined;
  readonly maxItems: number | undefined;
  readonly maxProperties: number | undefined;
}

/** Reads an OpenAPI v3 schema of a custom resource. Follows apiextensions-apiserver pkg/apiserver/schema/structural.go. */
export function readRuleSchema(json: JsonObject): RuleSchema {
  const { items, additionalProperties: additional, properties } = json;
  const values = asList(json['enum']);
  return {
    type: asString(json['type']),
    format: asString(json['format']),
    nullable: json['nullable'] === true,
    intOrString: json['x-kubernetes-int-or-string'] === true,
    preserveUnknown: json['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: json['x-kubernetes-embedded-resource'] === true,
    properties: properties === undefined ? undefined : readProperties(asObject(properties)),
    additional: isSchema(additional) ? readRuleSchema(asObject(additional)) : undefined,
    items: isSchema(items) ? readRuleSchema(asObject(items)) : undefined,
    required: new Set(asList(json['required']).map(asString)),
    hasDefault: json['default'] !== undefined,
    texts: values.filter((value) => typeof value === 'string'),
    isEnum: values.length > 0,
    listType: asString(json['x-kubernetes-list-type']),
    mapKeys: asList(json['x-kubernetes-list-map-keys']).map(asString),
    maxLength: limit(json['maxLength']),
    maxItems: limit(json['maxItems']),
    maxProperties: limit(json['maxProperties']),
  };
}

const isSchema = (json: JsonValue | undefined): boolean => typeof json === 'object' && json !== null;

const readProperties = (json: JsonObject): ReadonlyMap<string, RuleSchema> =>
  new Map(Object.entries(json).map(([name, property]) => [name, readRuleSchema(asObject(property))]));

const limit = (json: JsonValue | undefined): number | undefined =>
  typeof json === 'number' ? Math.max(0, json) : undefined;

const text = readRuleSchema({ type: 'string' });
const maxNameLength = 253;

/** Lengths of names have a limit since 1.37, which the estimated cost uses. */
function metaSchema(metadata: RuleSchema | undefined, areNamesLimited: boolean): RuleSchema {
  const limited = (field: string, max: number): RuleSchema => {
    const declared = metadata?.properties?.get(field)?.maxLength ?? max;
    return areNamesLimited ? { ...text, maxLength: Math.min(declared, max) } : text;
  };
  return {
    ...readRuleSchema({ type: 'object' }),
    properties: new Map([
      ['name', limited('name', maxNameLength)],
      ['generateName', limited('generateName', maxNameLength - 1)],
    ]),
  };
}

/**
 * The schema of a whole resource: beside its own properties, expressions see apiVersion, kind, metadata.name and
 * metadata.generateName. Follows apiextensions-apiserver pkg/apiserver/schema/cel/model/schemas.go.
 */
export function withResourceMeta(schema: RuleSchema, areNamesLimited = true): RuleSchema {
  return declaresMeta(schema) ? schema : addMeta(schema, areNamesLimited);
}

function addMeta(schema: RuleSchema, areNamesLimited: boolean): RuleSchema {
  const properties = new Map([
    ...(schema.properties ?? []),
    ['kind', text] as const,
    ['apiVersion', text] as const,
    ['metadata', metaSchema(schema.properties?.get('metadata'), areNamesLimited)] as const,
  ]);
  return { ...schema, properties };
}

function declaresMeta({ properties }: RuleSchema): boolean {
  const metadata = properties?.get('metadata');
  const texts = [properties?.get('kind'), properties?.get('apiVersion')];
  const names = [metadata?.properties?.get('name'), metadata?.properties?.get('generateName')];
  return metadata?.type === 'object' && [...texts, ...names].every((schema) => schema?.type === 'string');
}
