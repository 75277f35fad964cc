import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import { withLastApplied } from '../../src/apply/last-applied.ts';

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
