import { asObject, isJsonObject } from '../../machinery/json/json.ts';
import type { JsonObject, JsonValue } from '../../machinery/json/json.ts';
import { repeated } from './rule-budget.ts';

/** A node of the schema of a definition, as far as rules go. */
export interface RulePlace {
  readonly schema: JsonObject;
  readonly path: string;
  readonly isResource: boolean;
  /** How many values of this schema a resource can hold; undefined when no limit says. */
  readonly cardinality: bigint | undefined;
  /** The outermost list or map whose values have no counterpart in the resource as it was. */
  readonly uncorrelatable: string | undefined;
}

export const rootPlace = (schema: JsonObject, path: string): RulePlace => ({
  schema,
  path,
  isResource: true,
  cardinality: 1n,
  uncorrelatable: undefined,
});

/** The nodes directly inside. Follows apiextensions-apiserver pkg/apis/apiextensions/validation/cel_validation.go. */
export function childPlaces(place: RulePlace): readonly RulePlace[] {
  const { schema, path } = place;
  const { additionalProperties: additional, items } = schema;
  const properties = Object.entries(asObject(schema['properties'])).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const cardinality = inner(place);
  const child = (json: JsonValue | undefined, step: string, isCorrelated = true): readonly RulePlace[] => {
    if (!isJsonObject(json)) return [];
    const isResource = json['x-kubernetes-embedded-resource'] === true;
    const uncorrelatable = place.uncorrelatable ?? (isCorrelated ? undefined : path);
    return [{ schema: json, path: `${path}.${step}`, isResource, cardinality, uncorrelatable }];
  };
  return [
    ...child(additional, 'additionalProperties'),
    ...properties.flatMap(([name, property]) => child(property, `properties[${name}]`, hasSoundMapType(schema))),
    ...child(items, 'items', schema['x-kubernetes-list-type'] === 'map'),
  ];
}

/** Of maps all tell which old value belongs to a new one, whatever their type; of lists only those that are maps. */
const hasSoundMapType = ({ 'x-kubernetes-map-type': type }: JsonObject): boolean =>
  type === undefined || type === null || type === 'granular' || type === 'atomic';

function inner({ schema, cardinality }: RulePlace): bigint | undefined {
  const factor = maxElements(schema);
  return cardinality === undefined || factor === undefined ? undefined : repeated(cardinality, factor);
}

/** How many of its elements a value can have; 1 for what has none. */
function maxElements({ type, additionalProperties, maxItems, maxProperties }: JsonObject): bigint | undefined {
  if (type === 'array') return limit(maxItems);
  return type === 'object' && additionalProperties !== undefined ? limit(maxProperties) : 1n;
}

const limit = (json: JsonValue | undefined): bigint | undefined =>
  typeof json === 'number' ? BigInt(Math.max(0, json)) : undefined;
