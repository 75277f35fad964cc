import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { decodeManagers, encodeManagers, noManagers } from '../../../src/api/apply/managed-fields.ts';

const entry = (more: JsonObject): JsonObject => ({
  manager: 'm',
  operation: 'Update',
  apiVersion: 'autoscaling/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': {} },
  ...more,
});
const apply = { operation: 'Apply' };
const later = { apiVersion: 'autoscaling/v2' };

// Source: apimachinery pkg/util/managedfields/internal/managedfields.go BuildManagerIdentifier: an applier is one manager in all versions.
test.each<[who: string, one: JsonObject, other: JsonObject, managers: number]>([
  ['an applier in two versions', apply, { ...apply, ...later }, 1],
  ['two writers in one version', {}, {}, 1],
  ['a writer in two versions', {}, later, 2],
  ['a writer and an applier of one name', {}, apply, 2],
  ['appliers of two names', apply, { ...apply, manager: 'n' }, 2],
  ['a writer of the object and of its status', {}, { subresource: 'status' }, 2],
  ['a writer of its status and of its scale', { subresource: 'status' }, { subresource: 'scale' }, 2],
  ['an applier of the object and of its status', apply, { ...apply, subresource: 'status' }, 2],
  ['a writer without a name and with an empty one', { manager: '' }, { manager: undefined }, 1],
])('%s: the managers', (_who, one, other, managers) => {
  expect(decodeManagers([entry(one), entry(other)])?.size).toBe(managers);
});

// Source: managedfields.go DecodeManagedFields; structured-merge-diff fieldpath/serialize-pe.go DeserializePathElement.
test.each<[what: string, wrong: JsonObject]>([
  ['another operation', { operation: 'Patch' }],
  ['an empty version', { apiVersion: '' }],
  ['no version', { apiVersion: undefined }],
  ['fields of another type', { fieldsType: 'FieldsV2' }],
  ['fields that are none', { fieldsV1: { fspec: {} } }],
  ['a number for fields', { fieldsV1: 1 }],
  ['a number below a field', { fieldsV1: { 'f:spec': 1 } }],
  ['an index that is no number', { fieldsV1: { 'f:spec': { 'i:a': {} } } }],
  ['a key that is no JSON', { fieldsV1: { 'k:spec': {} } }],
  ['a key that is no map', { fieldsV1: { 'k:1': {} } }],
  ['a value that is no JSON', { fieldsV1: { 'v:a': {} } }],
])('an entry with %s is none', (_what, wrong) => {
  expect(decodeManagers([entry({}), entry(wrong)])).toBeUndefined();
});

// Source: structured-merge-diff fieldpath/serialize.go readIterV1; recorded beside kube-apiserver v1.36.2.
test('elements of a type that nobody knows are dropped, with what is below them', () => {
  const managers = decodeManagers([entry({ fieldsV1: { 'f:spec': { 'q:a': { f: {} } }, 'x:b': {} } })]);
  expect([...(managers?.values() ?? [])].map(({ fields, entry: kept }) => ({ fields, kept }))).toEqual([
    { fields: { 'f:spec': {} }, kept: undefined },
  ]);
});

// Source: serialize-pe.go: f, v, i and k are the types of elements.
test.each(['f:', 'f:a', 'f:i:', 'v:1', 'v:"a"', 'v:"k:"', 'i:0', 'i:-1', 'k:{"a":1}', 'k:{"name":"b"}'])(
  'an element may be %s',
  (element) => {
    const fieldsV1 = { 'f:spec': { '.': {}, [element]: {} } };
    const managers = decodeManagers([entry({ fieldsV1 })]) ?? noManagers;
    expect([...managers.values()].map(({ fields }) => fields)).toEqual([fieldsV1]);
  },
);

// Source: managedfields.go sortEncodedManagedFields.
test.each<[by: string, first: JsonObject, second: JsonObject]>([
  ['operation, whenever that was', { ...apply, time: '2026-01-02T00:00:00Z' }, { time: '2026-01-01T00:00:00Z' }],
  ['time, whoever it was', { time: '2026-01-01T00:00:00Z', manager: 'n' }, { time: '2026-01-01T00:00:01Z' }],
  ['time, if there is one', { manager: 'n' }, { time: '2026-01-01T00:00:00Z' }],
  ['name, whatever the version', later, { manager: 'n' }],
  ['version, whatever the subresource', { subresource: 'status' }, later],
  ['subresource', {}, { subresource: 'scale' }],
  ['subresource, of two', { subresource: 'scale' }, { subresource: 'status' }],
])('managers stand by %s', (_by, first, second) => {
  const [one, other] = [entry(first), entry(second)];
  for (const sent of [
    [one, other],
    [other, one],
  ]) {
    expect(encodeManagers(decodeManagers(sent) ?? noManagers)).toEqual([one, other]);
  }
});
