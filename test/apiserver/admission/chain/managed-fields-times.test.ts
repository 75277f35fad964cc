import { expect, test } from 'vitest';
import { hasSubSecondManagedFieldsTime } from '../../../../src/apiserver/admission/chain/managed-fields-times.ts';
import type { JsonObject, JsonValue } from '../../../../src/machinery/json/json.ts';
import type { KubernetesObject } from '../../../../src/machinery/meta/object.ts';
import { creating } from '../../../harness/builtin-plugin.ts';

const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} } as const;

/** A ConfigMap whose manager wrote it at that second. */
const written = (second: number, fields: JsonObject, metadata: JsonObject = {}): KubernetesObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'a', managedFields: [{ ...entry, time: `2026-01-01T00:00:0${second}Z` }], ...metadata },
  ...fields,
});

const before = written(0, { data: { a: '1', b: '2' }, immutable: false });

// Source: apimachinery pkg/util/managedfields/internal/managedfieldsupdater.go Update: the time is new when the write took fields.
test.each<readonly [what: string, object: KubernetesObject, isStamped: boolean]>([
  ['of another second', written(1, { data: { a: '1', b: '2' }, immutable: false }), true],
  ['of nothing', before, false],
  ['of one field of several', written(0, { data: { a: '1', b: '3' }, immutable: false }), true],
  ['of a new field', written(0, { data: { a: '1', b: '2', c: '3' }, immutable: false }), true],
  ['that takes away', written(0, { data: { a: '1' }, immutable: false }), false],
  ['of bookkeeping', { ...before, metadata: { ...before.metadata, resourceVersion: '9', generation: 2 } }, false],
])('an update within one second %s', (_what, object, isStamped) => {
  const request = { ...creating(object, 'configmaps'), operation: 'UPDATE', oldObject: before } as const;
  expect(hasSubSecondManagedFieldsTime(request)).toBe(isStamped);
});

const applied = { ...entry, manager: 'new', operation: 'Apply' };
const ownedTwice = {
  ...before,
  metadata: { ...before.metadata, managedFields: [...(before.metadata?.managedFields ?? []), applied] },
};

// Source: managedfieldsupdater.go Apply: the time is new when the apply returned an object, which it does for other values.
test.each<readonly [what: string, object: KubernetesObject, isStamped: boolean]>([
  ['by a new manager with the same values', ownedTwice, false],
  ['that adds a value', written(0, { data: { a: '1', b: '2', c: '3' }, immutable: false }), true],
  ['that removes a value', written(0, { data: { a: '1' }, immutable: false }), true],
  ['of nothing', before, false],
])('an apply %s', (_what, object, isStamped) => {
  const request = { ...creating(object, 'configmaps'), operation: 'UPDATE', oldObject: before, isApply: true } as const;
  expect(hasSubSecondManagedFieldsTime(request)).toBe(isStamped);
});

test('an object without managers has no time, a created one has', () => {
  expect(hasSubSecondManagedFieldsTime(creating(before, 'configmaps'))).toBe(true);
  expect(
    hasSubSecondManagedFieldsTime(creating({ ...before, metadata: { name: 'a', managedFields: [] } }, 'configmaps')),
  ).toBe(false);
  expect(hasSubSecondManagedFieldsTime(creating({ ...before, metadata: { name: 'a' } }, 'configmaps'))).toBe(false);
});

test.each<readonly [what: string, before: readonly JsonValue[], after: readonly JsonValue[], isStamped: boolean]>([
  ['in another order', ['a', 9007199254740993n, { k: 1, l: 2 }], [{ l: 2, k: 1 }, 'a', 9007199254740993n], false],
  ['without one of them', ['a', 'b', 'c'], ['a', 'c'], false],
  ['with the next large number', ['a', 9007199254740993n], ['b', 9007199254740995n], true],
  ['with a text of the same digits', ['a', 1], ['1', 'a'], true],
  ['with a list of the same items inside', ['a', 'b'], [['a'], 'b'], true],
])('an update within one second of a list %s', (_what, items, changed, isStamped) => {
  const request = {
    ...creating(written(0, { items: changed }), 'configmaps'),
    operation: 'UPDATE',
    oldObject: written(0, { items }),
  } as const;
  expect(hasSubSecondManagedFieldsTime(request)).toBe(isStamped);
});
