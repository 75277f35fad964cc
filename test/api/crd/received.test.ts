import { expect, test } from 'vitest';
import { errorText } from '../../../src/machinery/errors.ts';
import { asObject, type JsonObject } from '../../../src/machinery/json/json.ts';
import { tooManyDefaultsText } from '../../../src/api/crd/defaults.ts';
import { received, typeOf, widget, widgets } from './custom-object.ts';

const text: JsonObject = { type: 'string' };
const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const embedded = object({ data: object({ a: text }) }, { 'x-kubernetes-embedded-resource': true });
const keeps: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };

// Source: recorded conversations crd-prune-*, crd-default-*, crd-embedded-prunes-metadata, crd-strict-nested.
test.each<[fact: string, spec: JsonObject, sent: JsonObject, kept: JsonObject, unknown: readonly string[]]>([
  ['an unknown field is dropped', object({ a: text }), { a: 'x', b: 1 }, { a: 'x' }, ['spec.b']],
  [
    'fields of items are dropped, in the order of their paths',
    object({ l: { type: 'array', items: object({ a: text }) } }),
    { z: 1, l: [{ a: '1', b: 2 }, { c: 3 }] },
    { l: [{ a: '1' }, {}] },
    ['spec.l[0].b', 'spec.l[1].c', 'spec.z'],
  ],
  // Source: apiextensions-apiserver test/integration/defaulting_test.go TestCustomResourceDefaultingOfMetaFields.
  [
    'of a default, too, metadata keeps only what ObjectMeta knows',
    object({
      e: object(
        { metadata: object({ name: { ...text, default: 'x' }, more: { ...text, default: 'y' } }) },
        { 'x-kubernetes-embedded-resource': true },
      ),
    }),
    { e: { metadata: {} } },
    { e: { metadata: { name: 'x' } } },
    [],
  ],
  [
    'metadata of an embedded object is printed as ObjectMeta',
    object({ e: embedded }),
    { e: { metadata: { name: 'n', labels: {}, finalizers: [] }, data: {} } },
    { e: { data: {}, metadata: { name: 'n' } } },
    [],
  ],
  ['values of a map stay', object({}, { additionalProperties: text }), { a: 'x' }, { a: 'x' }, []],
  [
    'unknown fields stay where the schema preserves them, but not inside known properties',
    object({ known: object({ a: text }) }, keeps),
    { other: { deep: 1 }, known: { a: 'x', b: 1 } },
    { known: { a: 'x' }, other: { deep: 1 } },
    ['spec.known.b'],
  ],
  [
    'items below a list that keeps unknown fields keep them',
    object({ l: { type: 'array', ...keeps, items: object({ a: object({ b: text }) }) } }),
    { l: [{ x: 1, a: { b: 'x', c: 1 } }] },
    { l: [{ a: { b: 'x' }, x: 1 }] },
    ['spec.l[0].a.c'],
  ],
  [
    'errors of embedded metadata are last',
    object({ e: embedded }),
    { e: { apiVersion: 'v1', kind: 'X', metadata: { name: 'n', nope: 1 }, more: 1, data: { a: 'x', b: 1 } } },
    { e: { apiVersion: 'v1', data: { a: 'x' }, kind: 'X', metadata: { name: 'n' } } },
    ['spec.e.data.b', 'spec.e.more', 'spec.e.metadata.nope'],
  ],
  [
    'a name such as __proto__ is a field like others',
    object({ ['__proto__']: object({ a: text }) }),
    JSON.parse('{"__proto__":{"a":"x","polluted":true},"constructor":1}'),
    JSON.parse('{"__proto__":{"a":"x"}}'),
    ['spec.__proto__.polluted', 'spec.constructor'],
  ],
  ['a missing field gets its default', object({ a: { ...text, default: 'x' } }), {}, { a: 'x' }, []],
  [
    'defaults do not make absent parents, but reach those that a default makes',
    object({
      absent: object({ a: { ...text, default: 'x' } }),
      made: object({ a: { ...text, default: 'x' } }, { default: {} }),
    }),
    {},
    { made: { a: 'x' } },
    [],
  ],
  [
    'defaults reach items and values',
    object({
      l: { type: 'array', items: object({ a: { ...text, default: 'x' } }) },
      m: object({}, { additionalProperties: object({ a: { ...text, default: 'x' } }) }),
    }),
    { l: [{}, { a: 'y' }], m: { k: {} } },
    { l: [{ a: 'x' }, { a: 'y' }], m: { k: { a: 'x' } } },
    [],
  ],
  ['a default replaces null', object({ a: { ...text, default: 'x' } }), { a: null }, { a: 'x' }, []],
  [
    'a null that is nullable stays',
    object({ a: { ...text, default: 'x', nullable: true } }),
    { a: null },
    { a: null },
    [],
  ],
  ['a null without default is dropped', object({ a: text }), { a: null }, {}, []],
  [
    'a null item stays, a null value of a map goes',
    object({ l: { type: 'array', items: text }, m: object({}, { additionalProperties: text }) }),
    { l: [null], m: { k: null } },
    { l: [null], m: {} },
    [],
  ],
])('%s', (...row) => {
  const [, spec, sent, kept, unknown] = row;
  const { object: found, strict } = received(typeOf(widgets(spec)), widget(sent));
  expect(JSON.stringify(found['spec'])).toBe(JSON.stringify(kept));
  expect(strict).toEqual(unknown.map((path) => `unknown field "${path}"`));
});

test('a null spec is as none', () => {
  expect(received(typeOf(widgets(object({}))), widget(null)).object).not.toHaveProperty('spec');
});

// Source: recorded conversation crd-cr-metadata-type-errors.
test.each<[fact: string, metadata: JsonObject, error: string]>([
  [
    'a number in labels',
    { labels: { a: 1 } },
    'json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
  ],
  [
    'text for finalizers',
    { finalizers: 'x' },
    'json: cannot unmarshal string into Go struct field ObjectMeta.finalizers of type []string',
  ],
])('%s cannot be read', (_fact, metadata, error) => {
  const body = { ...widget({}), metadata: { name: 'x', ...metadata } };
  const decoded = typeOf(widgets(object({}))).decodeValue(body);
  expect(decoded).toEqual({ outcome: 'undecodable', error });
});

// Source: applies beside kube-apiserver v1.36.2: null for text is refused there (422), where a create drops it.
test('the result of an apply keeps nulls and unknown fields', () => {
  const decoded = typeOf(widgets(object({ a: text }))).decodeMerged(widget({ b: 1, a: null }));
  expect(decoded).toEqual({ outcome: 'decoded', object: widget({ a: null, b: 1 }), strict: [] });
});

test('unknown metadata fields are reported first', () => {
  const body = { ...widget({}), metadata: { name: 'x', Labels: {} }, Metadata: {} };
  expect(received(typeOf(widgets(object({}))), body).strict).toEqual([
    'unknown field "metadata.Labels"',
    'unknown field "Metadata"',
  ]);
});

test('what was stored under an older schema is pruned without a word, and its metadata made readable', () => {
  const type = typeOf(widgets(object({ e: embedded })));
  const stored = {
    ...widget({ old: 1, e: { metadata: { name: 'n', labels: { a: 1 } } } }),
    kind: 'Widget',
    apiVersion: 'x',
  };
  expect(type.prune({ ...stored, metadata: { name: 'x' } })['spec']).toEqual({ e: { metadata: { name: 'n' } } });
});

function thrownBy(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

// Ours: upstream fills in what there is memory for, until etcd refuses it.
test.each<[what: string, items: JsonObject, count: number, isLet: boolean]>([
  ['50000 small defaults', object({ a: { ...text, default: '' } }), 50_000, true],
  ['one more', object({ a: { ...text, default: '' } }), 50_001, false],
  ['lists of defaults', object({ a: { type: 'array', items: text, default: Array(99).fill('') } }), 501, false],
  ['long texts', object({ a: { ...text, default: 'x'.repeat(1024 * 1024) } }), 4, false],
  ['long texts that just fit', object({ a: { ...text, default: 'x'.repeat(1024 * 1024) } }), 3, true],
  ['defaults in the place of null', { ...text, default: '' }, 50_001, false],
])('%s are filled in, or refused', (_what, items, count, isLet) => {
  const list = items['properties'] ? Array.from({ length: count }, () => ({})) : Array(count).fill(null);
  const fill = () => received(typeOf(widgets({ type: 'array', items })), { ...widget(null), spec: list });
  expect(thrownBy(fill)).toBe(isLet ? undefined : tooManyDefaultsText);
});

test('a body of 2000 levels is refused', () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 2000; level += 1) deep = { a: deep };
  expect(typeOf(widgets({ type: 'object', ...keeps })).decodeValue(widget(deep))).toEqual({
    outcome: 'undecodable',
    error: 'exceeded max depth',
  });
});

// Source: apiextensions-apiserver test/integration/pruning_test.go TestPruningCreatePreservingUnknownFields.
test('a definition that keeps unknown fields keeps them at every depth, as it was in v1beta1', () => {
  const pruning = widgets(object({ a: object({}) }));
  const keeping = { ...pruning, spec: { ...asObject(pruning['spec']), preserveUnknownFields: true } };
  const sent = { a: { more: 1 }, other: [{ deep: true }] };
  expect(received(typeOf(keeping), widget(sent))).toEqual({ object: widget(sent), strict: [] });
  expect(received(typeOf(pruning), widget(sent)).object).toEqual(widget({ a: {} }));
});
