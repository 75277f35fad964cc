import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import type { FieldSet } from '../../../src/api/apply/field-set.ts';
import { removeItems } from '../../../src/api/apply/prune.ts';
import { getValueTypes } from '../../../src/api/apply/value-type.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const key = 'k:{"name":"a"}';

/** In 1.37 and in 1.36. */
type Rests = readonly [rest: JsonValue, restOf36: JsonValue];

// Source: structured-merge-diff v6.3.2 and v6.4.2 typed/remove.go; recorded conversations crd-cel-transition-with-apply
// of v1.36.2 and v1.37.2.
const rows: readonly [fact: string, value: JsonValue, set: FieldSet, rests: Rests][] = [
  ['a member goes with what is below it', { a: '1', b: '2' }, { 'f:data': { 'f:a': {} } }, [{ b: '2' }, { b: '2' }]],
  ['a map from which everything went becomes null', { a: '1' }, { 'f:data': { 'f:a': {} } }, [null, {}]],
  ['what is not a member stays', { a: '1' }, { 'f:data': { 'f:b': {} } }, [{ a: '1' }, { a: '1' }]],
];

test.each(rows)('%s', (_fact, data, set, [rest, restOf36]) => {
  const type = getValueTypes(recordedRelease.types)('core.v1.ConfigMap');
  expect(removeItems(type, { data }, set, false)).toEqual({ data: rest });
  expect(removeItems(type, { data }, set, true)).toEqual({ data: restOf36 });
});

const lists: readonly [fact: string, containers: JsonValue, elements: FieldSet, rests: Rests][] = [
  ['an element goes', [{ name: 'a' }, { name: 'b' }], { [key]: {} }, [[{ name: 'b' }], [{ name: 'b' }]]],
  ['a list from which everything went becomes null', [{ name: 'a' }], { [key]: {} }, [null, []]],
  ['a list that was empty becomes null', [], { [key]: {} }, [null, []]],
  [
    'fields of an element go',
    [{ name: 'a', image: 'x' }],
    { [key]: { 'f:image': {} } },
    [[{ name: 'a' }], [{ name: 'a' }]],
  ],
  ['an element that loses all fields becomes null', [{ name: 'a' }], { [key]: { 'f:name': {} } }, [[null], [{}]]],
];

test.each(lists)('%s', (_fact, containers, elements, [rest, restOf36]) => {
  const set = { 'f:spec': { 'f:containers': elements } };
  const type = getValueTypes(recordedRelease.types)('core.v1.Pod');
  expect(removeItems(type, { spec: { containers } }, set, false)).toEqual({ spec: { containers: rest } });
  expect(removeItems(type, { spec: { containers } }, set, true)).toEqual({ spec: { containers: restOf36 } });
});
