import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/apimachinery/json.ts';
import { decodeManagers } from '../../src/apply/managed-fields.ts';

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
  ['an applier of the object and of its status', apply, { ...apply, subresource: 'status' }, 2],
  ['a writer without a name and with an empty one', { manager: '' }, { manager: undefined }, 1],
])('%s: the managers', (_who, one, other, managers) => {
  expect(decodeManagers([entry(one), entry(other)])?.size).toBe(managers);
});

test.each<[what: string, wrong: JsonObject]>([
  ['another operation', { operation: 'Patch' }],
  ['fields of another type', { fieldsType: 'FieldsV2' }],
  ['fields that are none', { fieldsV1: { fspec: {} } }],
  ['a key that is no JSON', { fieldsV1: { 'k:spec': {} } }],
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
