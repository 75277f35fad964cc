import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import type { FieldSet } from '../../../src/api/apply/field-set.ts';
import { removeItems } from '../../../src/api/apply/prune.ts';
import { valueTypesOf } from '../../../src/api/apply/value-type.ts';
import { currentRelease } from '../../../src/api/release/load-release.ts';

const key = 'k:{"name":"a"}';

// Source: structured-merge-diff v6.3.2 typed/remove.go; recorded conversation crd-cel-transition-with-apply.
const rows: readonly [fact: string, value: JsonValue, set: FieldSet, rest: JsonValue][] = [
  ['a member goes with what is below it', { a: '1', b: '2' }, { 'f:data': { 'f:a': {} } }, { b: '2' }],
  ['a map from which everything went stays, empty', { a: '1' }, { 'f:data': { 'f:a': {} } }, {}],
  ['what is not a member stays', { a: '1' }, { 'f:data': { 'f:b': {} } }, { a: '1' }],
];

test.each(rows)('%s', (_fact, data, set, rest) => {
  expect(removeItems(valueTypesOf(currentRelease.types)('core.v1.ConfigMap'), { data }, set)).toEqual({ data: rest });
});

const lists: readonly [fact: string, containers: JsonValue, elements: FieldSet, rest: JsonValue][] = [
  ['an element goes', [{ name: 'a' }, { name: 'b' }], { [key]: {} }, [{ name: 'b' }]],
  ['a list from which everything went stays, empty', [{ name: 'a' }], { [key]: {} }, []],
  ['a list that was empty stays so', [], { [key]: {} }, []],
  ['fields of an element go', [{ name: 'a', image: 'x' }], { [key]: { 'f:image': {} } }, [{ name: 'a' }]],
];

test.each(lists)('%s', (_fact, containers, elements, rest) => {
  const set = { 'f:spec': { 'f:containers': elements } };
  expect(removeItems(valueTypesOf(currentRelease.types)('core.v1.Pod'), { spec: { containers } }, set)).toEqual({
    spec: { containers: rest },
  });
});
