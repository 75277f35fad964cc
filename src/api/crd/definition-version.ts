import { asList, asObject, asString, type JsonObject } from '../../machinery/json/json.ts';
import { readOnce } from './structural.ts';

export const versionOf = (definition: JsonObject, name: string): JsonObject | undefined =>
  versionsByName(definition).get(name);

/** The first version of a name counts. */
const versionsByName = readOnce(
  (definition) =>
    new Map(
      versionsOf(definition)
        .toReversed()
        .map((version) => [asString(version['name']), version]),
    ),
);

export const versionsOf = (definition: JsonObject): readonly JsonObject[] =>
  asList(asObject(definition['spec'])['versions']).map(asObject);

export const schemaOf = (version: JsonObject | undefined): JsonObject =>
  asObject(asObject(version?.['schema'])['openAPIV3Schema']);
