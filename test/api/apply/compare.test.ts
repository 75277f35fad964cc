import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { compareFields, type FieldSetComparison } from '../../../src/api/apply/compare.ts';
import { createCustomValueType } from '../../../src/api/apply/custom-value-type.ts';
import { createManagedChange, createFieldKinds, createVersions } from '../../../src/api/apply/field-kinds.ts';
import { toFieldSet, ensureNamedFieldsAreMembers } from '../../../src/api/apply/to-field-set.ts';
import { compareElements, sortFieldSet } from '../../../src/api/apply/path-element.ts';
import { difference, leaf, union, type FieldSet } from '../../../src/api/apply/field-set.ts';
import { deduced, getValueTypes } from '../../../src/api/apply/value-type.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const member = (below: FieldSet): FieldSet => ({ '.': leaf, ...below });
const a: FieldSet = { 'f:a': leaf };

// Source: structured-merge-diff typed/compare.go compare, which looks at what has no type as what each side is; managers
// of a custom resource of kube-apiserver v1.36.2.
test.each<
  [before: JsonValue | undefined, after: JsonValue | undefined, changed?: FieldSet | undefined, removed?: FieldSet]
>([
  [{ a: 1 }, 'x', leaf, a],
  [{ a: { b: 1 } }, [1], leaf, { 'f:a': { '.': leaf, 'f:b': leaf } }],
  [{ a: 1 }, null, undefined, a],
  [null, { a: 1 }, a],
  ['x', { a: 1 }, member(a)],
  [[1], { a: 1 }, member(a)],
  ['x', {}, leaf],
  [{}, 'x', leaf],
  [{ a: 1 }, undefined, undefined, member(a)],
  ['x', undefined, undefined, leaf],
  [[1], undefined, undefined, leaf],
  [undefined, { a: 1 }, member(a)],
  [undefined, undefined],
  [
    [1, 2],
    [1, 2],
  ],
  [[1, 2], [2, 1], leaf],
  [{ a: 1 }, { a: 1 }],
  [{ a: 1 }, { a: 2 }, a],
  [{ a: 1 }, { b: 1 }, { 'f:b': leaf }, a],
  [{ a: { b: 1, c: 1 } }, { a: { b: 1 } }, undefined, { 'f:a': { 'f:c': leaf } }],
  [{ a: 1 }, {}, undefined, a],
  [{}, {}],
  [{}, null, leaf],
])('with an unknown type, %j that becomes %j', (before, after, changed, removed) => {
  expect(compareFields(deduced, before, after)).toEqual({ changed, removed });
});

const holder = createCustomValueType({
  type: 'object',
  properties: {
    set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    atomic: { type: 'array', items: { type: 'string' } },
    whole: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
    map: { type: 'object', additionalProperties: { type: 'string' } },
  },
});

// Source: the same file, visitListItems and visitMapItems.
test.each<[before: JsonObject, after: JsonObject, changed?: FieldSet | undefined, removed?: FieldSet]>([
  [{ set: ['x'] }, { set: ['x', 'y'] }, { 'f:set': { 'v:"y"': leaf } }],
  [{ set: ['x', 'y'] }, { set: ['y'] }, undefined, { 'f:set': { 'v:"x"': leaf } }],
  [{ set: ['x', 'y'] }, { set: ['y', 'x'] }],
  [{ set: [] }, { set: ['x'] }, { 'f:set': { 'v:"x"': leaf } }],
  [{ set: ['x'] }, { set: [] }, undefined, { 'f:set': { 'v:"x"': leaf } }],
  [{ set: [] }, { set: null }, { 'f:set': leaf }],
  [{ set: null }, { set: [] }, { 'f:set': leaf }],
  [{ set: null }, { set: ['x'] }, { 'f:set': { 'v:"x"': leaf } }],
  [{ set: ['x'] }, {}, undefined, { 'f:set': member({ 'v:"x"': leaf }) }],
  [{}, { set: ['x'] }, { 'f:set': member({ 'v:"x"': leaf }) }],
  [{ set: [] }, {}, undefined, { 'f:set': leaf }],
  [{ atomic: ['x'] }, { atomic: ['x', 'y'] }, { 'f:atomic': leaf }],
  [{ atomic: ['x'] }, { atomic: ['x'] }],
  [{ atomic: ['x'] }, {}, undefined, { 'f:atomic': leaf }],
  [{ whole: { x: '1' } }, { whole: { x: '1', y: '2' } }, { 'f:whole': leaf }],
  [{ whole: { x: '1' } }, { whole: { x: '1' } }],
  [{ map: { x: '1' } }, { map: { x: '1', y: '2' } }, { 'f:map': { 'f:y': leaf } }],
  [{ map: {} }, { map: null }, { 'f:map': leaf }],
  [{ map: { x: '1' } }, {}, undefined, { 'f:map': member({ 'f:x': leaf }) }],
])('%j that becomes %j', (before, after, changed, removed) => {
  expect(compareFields(holder, before, after)).toEqual({ changed, removed });
});

const pod = getValueTypes(recordedRelease.types)('core.v1.Pod');
const many = <Item>(item: (at: number) => Item): readonly Item[] =>
  Array.from({ length: 3_000 }, (_none, at) => item(at));
const env = (...values: readonly string[]): JsonValue => ({
  spec: { containers: [{ name: 'c', env: values.map((value) => ({ name: 'A', value })) }] },
});
const owned = (below: FieldSet): FieldSet => ({
  'f:spec': { 'f:containers': { 'k:{"name":"c"}': member({ 'f:name': leaf, 'f:env': { 'k:{"name":"A"}': below } }) } },
});
const one = member({ 'f:name': leaf, 'f:value': leaf });

// Source: structured-merge-diff typed/tofieldset.go: what repeats a name is one leaf.
test.each<[what: string, value: JsonValue, set: FieldSet]>([
  ['one of a name', env('1'), owned(one)],
  ['two of a name', env('1', '2'), owned(leaf)],
  ['three of a name', env('1', '2', '3'), owned(leaf)],
  ['nothing', {}, leaf],
  ['an undeclared list', { other: [1, 2] }, { 'f:other': leaf }],
])('the fields of %s', (_what, value, set) => {
  expect(toFieldSet(pod, value)).toEqual(set);
});

test.each<[what: string, value: JsonObject, set: FieldSet]>([
  ['a long undeclared list', { other: many((at) => at) }, { 'f:other': leaf }],
  [
    'a long map that is one field',
    { spec: { nodeSelector: Object.fromEntries(many((at) => [`k${at}`, 'v'])) } },
    { 'f:spec': { 'f:nodeSelector': leaf } },
  ],
  [
    'many of which two have one name',
    { metadata: { finalizers: ['x', ...many(() => 'y').slice(0, 2), ...many((at) => `f${at}`)] } },
    {
      'f:metadata': {
        'f:finalizers': Object.fromEntries(
          ['x', 'y', ...many((at) => `f${at}`)].map((name) => [`v:${JSON.stringify(name)}`, leaf]),
        ),
      },
    },
  ],
])('the fields of %s', (_what, value, set) => {
  expect(toFieldSet(pod, value)).toEqual(set);
});

// Source: structured-merge-diff typed/typed.go EnsureNamedFieldsAreMembers.
test('fields of structs on the way are members, no others', () => {
  expect(
    ensureNamedFieldsAreMembers(pod, { 'f:spec': { 'f:containers': { 'k:{"name":"c"}': { 'f:image': leaf } } } }),
  ).toEqual({
    'f:spec': member({ 'f:containers': member({ 'k:{"name":"c"}': { 'f:image': leaf } }) }),
  });
  expect(ensureNamedFieldsAreMembers(pod, { 'f:metadata': { 'f:labels': { 'f:a': leaf } }, 'f:spec': leaf })).toEqual({
    'f:metadata': member({ 'f:labels': member({ 'f:a': leaf }) }),
    'f:spec': leaf,
  });
  const unknown = { 'f:other': { 'f:a': { 'f:b': leaf } } };
  expect(ensureNamedFieldsAreMembers(deduced, unknown)).toEqual(unknown);
});

// Source: structured-merge-diff fieldpath/element.go Less, value/value.go Compare.
test.each([
  ['f:a', 'k:{"a":1}'],
  ['k:{"a":1}', 'v:1'],
  ['v:1', 'i:0'],
  ['v:2', 'v:10'],
  ['v:10', 'v:"a"'],
  ['v:"a"', 'v:false'],
  ['v:false', 'v:true'],
  ['v:true', 'v:null'],
  ['k:{"a":1}', 'k:{"a":1,"b":1}'],
  ['k:{"a":1,"b":1}', 'k:{"a":2}'],
  ['k:{"a":1}', 'k:{"b":0}'],
  ['k:{"a":1,"b":2}', 'k:{"a":1,"b":10}'],
])('%s stands before %s', (first, second) => {
  expect(compareElements(first, second)).toBeLessThan(0);
  expect(compareElements(second, first)).toBeGreaterThan(0);
  expect(compareElements(first, first)).toBe(0);
  expect(Object.keys(sortFieldSet({ [second]: leaf, [first]: leaf }))).toEqual([first, second]);
});

test('a set in which only the first two are the other way round is sorted too', () => {
  expect(Object.keys(sortFieldSet({ 'f:b': leaf, 'f:a': leaf, 'f:c': leaf }))).toEqual(['f:a', 'f:b', 'f:c']);
  expect(JSON.stringify(sortFieldSet({ 'f:a': { 'f:y': leaf, 'f:x': leaf } }))).toBe('{"f:a":{"f:x":{},"f:y":{}}}');
});

// Source: structured-merge-diff fieldpath/set_test.go.
test.each<[one: FieldSet, other: FieldSet, both: FieldSet]>([
  [a, leaf, a],
  [leaf, a, a],
  [a, { 'f:b': leaf }, { 'f:a': leaf, 'f:b': leaf }],
  [{ 'f:a': a }, { 'f:a': leaf }, { 'f:a': member(a) }],
  [{ 'f:a': leaf }, { 'f:a': a }, { 'f:a': member(a) }],
  [{ 'f:a': member(a) }, { 'f:a': leaf }, { 'f:a': member(a) }],
  [{ 'f:a': leaf }, { 'f:a': member(a) }, { 'f:a': member(a) }],
  [{ 'f:a': a }, { 'f:a': { 'f:b': leaf } }, { 'f:a': { 'f:a': leaf, 'f:b': leaf } }],
  [{ 'f:a': member(a) }, { 'f:a': { 'f:b': leaf } }, { 'f:a': member({ 'f:a': leaf, 'f:b': leaf }) }],
])('%j and %j together', (first, second, both) => {
  expect(union(first, second)).toEqual(both);
  expect(union(second, first)).toEqual(both);
  expect(difference(both, both)).toEqual(leaf);
});

const schema = { type: 'object', properties: { n: { type: 'integer' } } };
const custom = createFieldKinds(recordedRelease.codec, ({ group }) =>
  group === 'example.com' ? { type: createCustomValueType(schema), hasStatus: false } : undefined,
);
const thing = (n: JsonValue) => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, n });
const wrong = '.n: expected numeric (int or float), got string';

// Source: kube-apiserver v1.36.2 names the step for the new object alone.
test.each<[fact: string, before: JsonValue, after: JsonValue, misfit: string | undefined]>([
  ['both are of the type', 1, 2, undefined],
  ['the old one is not', 'x', 2, wrong],
  ['the new one is not', 1, 'x', `failed to convert new object: ${wrong}`],
  ['neither is', 'x', 'y', wrong],
])('an object of a custom kind: %s', (_fact, before, after, misfit) => {
  const change = createManagedChange(custom, { before: thing(before), after: thing(after), subresource: '' });
  expect(change?.typeError()).toBe(misfit);
  const same = thing(after);
  expect(createManagedChange(custom, { before: same, after: same, subresource: '' })?.typeError()).toBe(
    after === 2 ? undefined : wrong,
  );
});

test('decoded built-in objects fit their type; unknown kinds are not checked', () => {
  const built = { apiVersion: 'v1', kind: 'ConfigMap', data: 7 };
  expect(createManagedChange(custom, { before: built, after: built, subresource: '' })?.typeError()).toBeUndefined();
  const unknown = { ...thing(1), apiVersion: 'other.com/v1' };
  expect(createManagedChange(custom, { before: unknown, after: unknown, subresource: '' })).toBeUndefined();
});

const scaler = {
  apiVersion: 'autoscaling/v1',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a' },
  spec: { maxReplicas: 1, scaleTargetRef: { kind: 'Deployment', name: 'd' } },
};

// Source: apimachinery pkg/util/managedfields/internal/versionconverter.go.
test('an object is converted to another version of its kind, to its own it is not', async () => {
  const { convert, typeIn } = createVersions(custom, scaler.kind);
  expect(await convert(scaler, 'autoscaling/v1')).toBe(scaler);
  expect(await convert(scaler, 'autoscaling/v2')).toMatchObject({ apiVersion: 'autoscaling/v2', spec: scaler.spec });
  expect(await convert(scaler, 'apps/v1')).toBeUndefined();
  expect(await convert(['no object'], 'autoscaling/v2')).toEqual(['no object']);
  expect([typeIn('autoscaling/v2')?.is, typeIn('autoscaling/v9')]).toEqual(['map', undefined]);
  const change = createManagedChange(custom, { before: scaler, after: scaler, subresource: '' });
  expect(await change?.inVersion('autoscaling/v2')).toMatchObject({
    apiVersion: 'autoscaling/v2',
    before: { kind: scaler.kind },
  });
  expect(await change?.inVersion('autoscaling/v9')).toBeUndefined();
  const gone = createManagedChange(custom, { before: { ...scaler, kind: 'Scale' }, after: scaler, subresource: '' });
  expect(await gone?.inVersion('autoscaling/v2')).toBeUndefined();
});

const type = createCustomValueType({
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
test.each<readonly [fact: string, before: JsonValue, after: JsonValue, comparison: FieldSetComparison]>([
  ['two that become one', items('1', '2'), items('1'), { changed: fields, removed: marker }],
  ['one that becomes two', items('1'), items('1', '2'), { changed: marker, removed: fields }],
  ['two of which one is another', items('1', '2'), items('1', '3'), { changed: marker, removed: undefined }],
  ['two that stay', items('1', '2'), items('1', '2'), { changed: undefined, removed: undefined }],
])('of items with one key: %s', (_fact, before, after, comparison) => {
  expect(compareFields(type, before, after)).toEqual(comparison);
});

// To list the names of a wide object takes V8 milliseconds, and to look at the first of them takes as long.

test('the elements of a wide set are listed once', () => {
  const names = Array.from({ length: 3_000 }, (_none, at) => `f:n${String(at).padStart(4, '0')}`);
  const wide: FieldSet = Object.fromEntries(names.map((name) => [name, leaf]));
  let listed = 0;
  const ownKeys = (target: FieldSet): ArrayLike<string | symbol> => {
    listed += 1;
    return Reflect.ownKeys(target);
  };
  expect(Object.keys(sortFieldSet(new Proxy(wide, { ownKeys })))).toEqual(names);
  // The expected list has it too.
  expect(listed).toBe(2);
});
