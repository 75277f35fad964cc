import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import { compare } from '../../../src/api/apply/compare.ts';
import type { Comparison } from '../../../src/api/apply/compare.ts';
import { customValueType } from '../../../src/api/apply/custom-value-type.ts';
import { leaf } from '../../../src/api/apply/field-set.ts';
import type { FieldSet } from '../../../src/api/apply/field-set.ts';

const type = customValueType({
  type: 'object',
  properties: {
    list: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'string' } } },
    },
  },
});
const items = (...values: readonly string[]): JsonValue => ({ list: values.map((v) => ({ k: 'a', v })) });
const inList = (element: FieldSet): FieldSet => ({ 'f:list': { 'k:{"k":"a"}': element } });
const fields = inList({ '.': leaf, 'f:k': leaf, 'f:v': leaf });
const marker = inList(leaf);

// Source: structured-merge-diff typed/compare.go visitListItems; owners of repeated variables in kube-apiserver v1.36.2.
test.each<readonly [fact: string, before: JsonValue, after: JsonValue, comparison: Comparison]>([
  ['two that become one', items('1', '2'), items('1'), { changed: fields, removed: marker }],
  ['one that becomes two', items('1'), items('1', '2'), { changed: marker, removed: fields }],
  ['two of which one is another', items('1', '2'), items('1', '3'), { changed: marker, removed: undefined }],
  ['two that stay', items('1', '2'), items('1', '2'), { changed: undefined, removed: undefined }],
])('of items with one key: %s', (_fact, before, after, comparison) => {
  expect(compare(type, before, after)).toEqual(comparison);
});
