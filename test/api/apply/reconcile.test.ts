import { expect, test } from 'vitest';
import { decodeManagers } from '../../../src/api/apply/managed-fields.ts';
import { reconciled } from '../../../src/api/apply/reconcile.ts';
import type { FieldSet } from '../../../src/api/apply/field-set.ts';
import type { MapType, ValueType } from '../../../src/api/apply/value-type.ts';

const mapOf = (fields: Readonly<Record<string, ValueType>>, atomic = false): MapType => ({
  is: 'map',
  atomic,
  declares: (name) => name in fields,
  field: (name) => fields[name],
  keyDefault: () => undefined,
});
const text: ValueType = { is: 'scalar', scalar: 'string' };
const granular = mapOf({ b: text });
const type = mapOf({
  atomic: mapOf({ b: text }, true),
  granular,
  list: { is: 'list', relation: 'atomic', keys: [], element: () => granular },
  set: { is: 'list', relation: 'map', keys: ['name'], element: () => mapOf({ ref: mapOf({ b: text }, true) }) },
});

// Source: structured-merge-diff merge/schema_change_test.go, typed/reconcile_schema.go.
const facts: readonly [fact: string, fields: FieldSet, now: FieldSet][] = [
  ['granular once, atomic now', { 'f:atomic': { '.': {}, 'f:b': {} } }, { 'f:atomic': {} }],
  ['a list likewise', { 'f:list': { 'v:1': {} } }, { 'f:list': {} }],
  [
    'inside a list',
    { 'f:set': { 'k:{"name":"x"}': { 'f:ref': { 'f:b': {} } } } },
    { 'f:set': { 'k:{"name":"x"}': { 'f:ref': {} } } },
  ],
  ['atomic always', { 'f:atomic': {} }, { 'f:atomic': {} }],
  ['atomic once, granular now', { 'f:granular': {} }, { 'f:granular': {} }],
  ['what nobody knows', { 'f:other': { 'f:b': {} } }, { 'f:other': { 'f:b': {} } }],
];

test.each(facts)('%s', (_fact, fieldsV1, now) => {
  const managers = decodeManagers([
    { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 },
  ]);
  const all = reconciled(managers ?? new Map(), () => type);
  expect([...all.values()].map(({ fields }) => fields)).toEqual([now]);
});
