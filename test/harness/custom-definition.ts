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

/** The schema of the Gizmos that recorded applies are about. */
export const gizmoSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', default: 1 },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        items: {
          type: 'array',
          items: {
            type: 'object',
            required: ['k'],
            properties: { k: { type: 'string' }, v: { type: 'string' } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
        plain: { type: 'array', items: { type: 'string' } },
        atom: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        any: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
    status: { type: 'object', properties: { p: { type: 'string' } } },
  },
};

export const gizmos = definitionOf('gizmos.ssa.example.com', 'Gizmo', {
  ...schemaOf(gizmoSchema),
  subresources: { status: {} },
});
