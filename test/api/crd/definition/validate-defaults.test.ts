import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import { coerceDefaults } from '../../../../src/api/crd/definition/validate-defaults.ts';

const embedded = (more: JsonObject = {}): JsonObject => ({
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
  ...more,
});
const pod = (metadata: JsonValue, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  ...more,
});
const defined = (a: JsonObject) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { a } } } }] },
});

// Source: answers of kube-apiserver v1.36.2 to dry runs; apiextensions-apiserver pkg/apiserver/schema/defaulting/validation.go.
test.each<[string, JsonObject, JsonObject]>([
  ['a default', embedded({ default: pod({ q: 1, name: 'x' }) }), embedded({ default: pod({ name: 'x' }) })],
  [
    'a default around it',
    { type: 'object', properties: { b: embedded() }, default: { b: pod({ q: 1, name: 'x' }) } },
    { type: 'object', properties: { b: embedded() }, default: { b: pod({ name: 'x' }) } },
  ],
  [
    'a default of a list',
    { type: 'array', items: embedded(), default: [pod({ q: 1 }), pod({ labels: { a: 'b' }, z: {} })] },
    { type: 'array', items: embedded(), default: [pod({}), pod({ labels: { a: 'b' } })] },
  ],
  [
    'a default in the items of a list',
    { type: 'array', items: { type: 'object', properties: { p: embedded({ default: pod({ q: 1 }) }) } } },
    { type: 'array', items: { type: 'object', properties: { p: embedded({ default: pod({}) }) } } },
  ],
  [
    'a default of a map',
    { type: 'object', additionalProperties: embedded(), default: { x: pod({ q: 1 }) } },
    { type: 'object', additionalProperties: embedded(), default: { x: pod({}) } },
  ],
  ['no metadata', embedded({ default: pod(null) }), embedded({ default: pod({}) })],
  [
    'empty metadata, and an owner',
    embedded({
      default: pod({
        creationTimestamp: null,
        labels: null,
        ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'b', uid: 'u', q: 1 }],
      }),
    }),
    embedded({ default: pod({ ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'b', uid: 'u' }] }) }),
  ],
  [
    'a resource in a resource',
    embedded({ properties: { in: embedded() }, default: pod({ q: 1 }, { in: pod({ w: 1 }) }) }),
    embedded({ properties: { in: embedded() }, default: pod({}, { in: pod({}) }) }),
  ],
])('%s holds what ObjectMeta does', (_title, written, stored) => {
  expect(coerceDefaults(defined(written))).toEqual(defined(stored));
});

test.each<[string, JsonObject]>([
  [
    'the default of metadata itself',
    embedded({ properties: { metadata: { type: 'object', default: { name: 'n', q: 1 } } } }),
  ],
  ['a default without an embedded resource', { type: 'object', default: { metadata: { q: 1 } } }],
  ['an embedded resource without a default', embedded()],
])('%s stays as it was written', (_title, written) => {
  const definition = defined(written);
  expect(coerceDefaults(definition)).toBe(definition);
});
