import { asList, asObject, asString } from '../apimachinery/json.ts';
import type { JsonObject } from '../apimachinery/json.ts';

/** The version of this name in a definition; undefined when there is none. */
export const versionOf = (definition: JsonObject, name: string): JsonObject | undefined =>
  versionsOf(definition).find((version) => asString(version['name']) === name);

export const versionsOf = (definition: JsonObject): readonly JsonObject[] =>
  asList(asObject(definition['spec'])['versions']).map(asObject);

/** The openAPIV3Schema of a version; `{}` when it has none. */
export const schemaOf = (version: JsonObject | undefined): JsonObject =>
  asObject(asObject(version?.['schema'])['openAPIV3Schema']);
