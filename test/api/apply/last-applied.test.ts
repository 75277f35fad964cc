import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../src/machinery/meta/object.ts';
import type { FieldSet } from '../../../src/api/apply/field-set.ts';
import { allowedByLastApplied, withLastApplied } from '../../../src/api/apply/apply-configuration.ts';
import type { Manager } from '../../../src/api/apply/managed-fields.ts';
import { valueTypesOf } from '../../../src/api/apply/value-type.ts';
import { currentRelease } from '../../../src/api/release/current-release.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

const written = (patch: JsonObject, before = '{}'): string | undefined =>
  withLastApplied(
    { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'c', annotations: { [annotation]: before } } },
    patch,
  ).metadata?.annotations?.[annotation];

/** Follows apimachinery pkg/util/managedfields/internal/lastappliedupdater.go: as Go's encoder prints an unstructured object. */
test.each<[fact: string, patch: JsonObject, text: string]>([
  ['fields stand by name, at every depth', { b: { d: 1, c: 2 }, a: 'x' }, '{"a":"x","b":{"c":2,"d":1}}\n'],
  [
    'lists keep their order, what is in them does not',
    { l: ['b', 'a', { z: true, y: null }] },
    '{"l":["b","a",{"y":null,"z":true}]}\n',
  ],
  ['texts are escaped as Go does', { a: '<&>' }, '{"a":"\\u003c\\u0026\\u003e"}\n'],
  [
    'the annotation itself is left out, others stay',
    { metadata: { annotations: { [annotation]: 'x', other: 'y' } } },
    '{"metadata":{"annotations":{"other":"y"}}}\n',
  ],
  ['metadata without annotations stays', { metadata: { name: 'c' } }, '{"metadata":{"name":"c"}}\n'],
])('%s', (_fact, patch, text) => {
  expect(written(patch)).toBe(text);
});

test('who has no such annotation gets none', () => {
  expect(written({ a: 'x' }, '')).toBe('');
});

const annotated = (applied: JsonValue | undefined, data: JsonObject): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'c',
    ...(applied !== undefined && {
      annotations: {
        [annotation]: typeof applied === 'string' ? applied : JSON.stringify(applied),
      },
    }),
  },
  data,
});
const applied = (data: JsonValue, apiVersion = 'v1'): JsonObject => ({ apiVersion, kind: 'ConfigMap', data });
const owner: Manager = { manager: 'm', operation: 'Update', apiVersion: 'v1', subresource: '', time: '', fields: {} };
const conflictAt = (...names: readonly string[]): ReadonlyMap<string, FieldSet> =>
  new Map([['m', { 'f:data': Object.fromEntries(names.map((name) => [`f:${name}`, {}])) }]]);
const message = (field: string): string => `Apply failed with 1 conflict: conflict with "m" using v1: .data.${field}`;

// Source: apimachinery pkg/util/managedfields/internal/lastappliedmanager.go and its test
test.each<[fact: string, live: KubernetesObject, conflicts: ReturnType<typeof conflictAt>, left: string | undefined]>([
  ['no annotation', annotated(undefined, { a: '1' }), conflictAt('a'), undefined],
  ['one that is no JSON', annotated('{', { a: '1' }), conflictAt('a'), undefined],
  ['one that is no object', annotated('[]', { a: '1' }), conflictAt('a'), undefined],
  ['one of another version', annotated(applied({ a: '1' }, 'v2'), { a: '1' }), conflictAt('a'), undefined],
  ['one that is not of its type', annotated(applied({ a: [] }), { a: '1' }), conflictAt('a'), undefined],
  [
    'fields that are as they were applied',
    annotated(applied({ a: '1', b: '2' }), { a: '1', b: '2' }),
    conflictAt('a', 'b'),
    'allowed',
  ],
  [
    'a field that is not',
    annotated(applied({ a: '1', b: '2' }), { a: '1', b: '3' }),
    conflictAt('a', 'b'),
    message('b'),
  ],
  [
    'a field that was not applied',
    annotated(applied({ a: '1' }), { a: '1', b: '2' }),
    conflictAt('a', 'b'),
    message('b'),
  ],
])('kubectl takes over, with %s', (_fact, live, conflicts, left) => {
  const type = valueTypesOf(currentRelease.types)('core.v1.ConfigMap');
  const allowed = allowedByLastApplied({ live, type, managers: new Map([['m', owner]]) }, conflicts);
  expect(allowed?.outcome === 'conflict' ? allowed.status.message : allowed?.outcome).toBe(left);
});
