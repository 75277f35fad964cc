import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import { customValueType } from '../../src/apply/custom-value-type.ts';
import { typeErrors } from '../../src/apply/type-errors.ts';

const items = (key: JsonObject): JsonObject => ({
  type: 'object',
  properties: {
    mp: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: key, v: { type: 'integer' } } },
    },
  },
});

const omitted =
  '.mp: element 0: associative list with keys has an element that omits all key fields ["k"] (and doesn\'t have default values for any key fields)';

// Source: conversations crd-apply-map-list and crd-strict-apply with kube-apiserver v1.36.2.
test.each([
  ['an element with its key', { type: 'string' }, { mp: [{ k: 'a' }] }, undefined],
  ['an element without its key', { type: 'string' }, { mp: [{ v: 1 }] }, omitted],
  ['a key with a default', { type: 'string', default: 'a' }, { mp: [{ v: 1 }] }, undefined],
  ['two of a key', { type: 'string' }, { mp: [{ k: 'q' }, { k: 'q' }] }, '.mp: duplicate entries for key [k="q"]'],
  ['a field that is not declared', { type: 'string' }, { other: 1 }, '.other: field not declared in schema'],
])('%s', (_fact, key, value, error) => {
  expect(typeErrors(customValueType(items(key)), value)).toBe(error);
});

test('what is stored may hold duplicates', () => {
  const value = { mp: [{ k: 'q' }, { k: 'q' }] };
  expect(typeErrors(customValueType(items({ type: 'string' })), value, 'allowed')).toBeUndefined();
});
