import { asList, asObject, asString, type JsonObject, valueAt } from '../../machinery/json/json.ts';
import { readLocated } from '../../testing/scenario/read/located.ts';

/** A version of a definition among the objects. */
export interface DefinedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly schema: JsonObject;
}

/** Documents that cannot be read define nothing. */
export function definedKinds(objects: string): readonly DefinedKind[] {
  return objects
    .split(/^---/m)
    .filter((text) => text.includes('CustomResourceDefinition'))
    .flatMap((text) => readLocated('objects', text).documents)
    .flatMap(({ value }) => kindsOf(asObject(value)));
}

function kindsOf(definition: JsonObject): readonly DefinedKind[] {
  if (definition['kind'] !== 'CustomResourceDefinition') return [];
  const group = asString(valueAt(definition, 'spec', 'group'));
  const kind = asString(valueAt(definition, 'spec', 'names', 'kind'));
  return asList(valueAt(definition, 'spec', 'versions')).map((version) => ({
    apiVersion: `${group}/${asString(asObject(version)['name'])}`,
    kind,
    schema: asObject(valueAt(asObject(version), 'schema', 'openAPIV3Schema')),
  }));
}
