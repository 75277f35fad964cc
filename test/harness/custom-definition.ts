import type { JsonObject } from '../../src/machinery/json/json.ts';

/** A definition of this name, `things.example.com`. Each version is `v1`, served and stored, unless its fields say otherwise. */
export function definitionOf(name: string, kind: string, ...versions: readonly JsonObject[]): JsonObject {
  const [plural = '', ...group] = name.split('.');
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: group.join('.'),
      scope: 'Namespaced',
      names: { plural, kind },
      versions: versions.map((version) => ({ name: 'v1', served: true, storage: true, ...version })),
    },
  };
}

export const schemaOf = (openAPIV3Schema: JsonObject): JsonObject => ({ schema: { openAPIV3Schema } });
