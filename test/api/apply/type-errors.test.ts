import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { createCustomValueType } from '../../../src/api/apply/custom-value-type.ts';
import { typeErrors } from '../../../src/api/apply/type-errors.ts';

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
  expect(typeErrors(createCustomValueType(items(key)), value)).toBe(error);
});

test('what is stored may hold duplicates', () => {
  const value = { mp: [{ k: 'q' }, { k: 'q' }] };
  expect(typeErrors(createCustomValueType(items({ type: 'string' })), value, 'allowed')).toBeUndefined();
});

const text: JsonObject = { type: 'string' };
const keeps: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });

// Source: 6723 applies and other writes beside kube-apiserver v1.36.2.
test.each<[fact: string, schema: JsonObject, value: JsonValue, error: string | undefined]>([
  ['null is of any type', text, null, undefined],
  ['a number for text', text, 1, '.a: expected string, got &value.valueUnstructured{Value:1}'],
  [
    'a null inside of what is no text',
    text,
    [null],
    '.a: expected string, got &value.valueUnstructured{Value:[]interface {}{interface {}(nil)}}',
  ],
  ['an object without properties may hold anything', object({}), { x: [1] }, undefined],
  ['one with properties may not', object({ b: text }), { x: [1] }, '.a.x: field not declared in schema'],
  ['an object with additionalProperties', object({}, { additionalProperties: true }), { x: [1] }, undefined],
  [
    'one that lets none in may not',
    object({}, { additionalProperties: false }),
    { x: [1] },
    '.a.x: field not declared in schema',
  ],
  ['one of texts holds texts', object({}, { additionalProperties: text }), { x: 'y' }, undefined],
  ['text of a format may be any scalar here', { ...text, format: 'date-time' }, 1, undefined],
  ['and nothing else', { ...text, format: 'date-time' }, [1], '.a: expected any scalar, got &{[1]}'],
  ['base64 is text', { ...text, format: 'byte' }, 1, '.a: expected string, got &value.valueUnstructured{Value:1}'],
  [
    'an int-or-string that has a type is of this type',
    { ...text, 'x-kubernetes-int-or-string': true },
    1,
    '.a: expected string, got &value.valueUnstructured{Value:1}',
  ],
  ['an int-or-string may be anything here', { 'x-kubernetes-int-or-string': true }, [{}], undefined],
  [
    'only the first undeclared field is reported',
    object({ b: text }),
    { x: 1, y: 1 },
    '.a.x: field not declared in schema',
  ],
  [
    'only the first element without a key is reported',
    { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    [{}, {}],
    ".a: element 0: associative list without keys has an element that's a map type",
  ],
  [
    'whatever is inside of what keeps unknown fields keeps them',
    object({ b: object({ c: text }) }, keeps),
    { b: { x: 1 } },
    undefined,
  ],
])('%s', (_fact, schema, value, error) => {
  expect(typeErrors(createCustomValueType(object({ a: schema })), { a: value })).toBe(error);
});
