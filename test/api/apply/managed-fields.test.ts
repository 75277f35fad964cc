import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import {
  decodeManagers,
  encodeManagers,
  buildManagerIdentifier,
  type Manager,
  type Managers,
  noManagers,
  reconcileManagers,
} from '../../../src/api/apply/managed-fields.ts';
import type { FieldSet } from '../../../src/api/apply/field-set.ts';
import type { MapType, ValueType } from '../../../src/api/apply/value-type.ts';
import { capManagers } from '../../../src/api/apply/update-managers.ts';

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
  ['a key with data behind it', { fieldsV1: { 'k:{"a":1}x': {} } }],
  ['a value with data behind it', { fieldsV1: { 'v:1 2': {} } }],
])('an entry with %s is none', (_what, wrong) => {
  expect(decodeManagers([entry({}), entry(wrong)])).toBeUndefined();
});

// Source: structured-merge-diff fieldpath/serialize.go readIterV1; recorded beside kube-apiserver v1.36.2.
test('unknown element types are dropped with their children', () => {
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
  ['time before manager name', { time: '2026-01-01T00:00:00Z', manager: 'n' }, { time: '2026-01-01T00:00:01Z' }],
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
  ['an unknown field', { 'f:other': { 'f:b': {} } }, { 'f:other': { 'f:b': {} } }],
];

test.each(facts)('%s', (_fact, fieldsV1, now) => {
  const managers = decodeManagers([
    { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 },
  ]);
  const all = reconcileManagers(managers ?? new Map(), () => type);
  expect([...all.values()].map(({ fields }) => fields)).toEqual([now]);
});

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`;

const manager = (name: string, second: number, fields: Partial<Manager> = {}): Manager => ({
  manager: name,
  operation: 'Update',
  apiVersion: 'v1',
  subresource: '',
  time: at(second),
  fields: { 'f:data': { [`f:${name}`]: {} } },
  ...fields,
});

const of = (managers: readonly Manager[]): Managers =>
  new Map(managers.map((one) => [buildManagerIdentifier(one), one]));

/** So many updaters, u1 the oldest; written in the order of their names, which is not that of their times. */
const updaters = (count: number, fields: (second: number) => Partial<Manager> = () => ({})): readonly Manager[] =>
  Array.from({ length: count }, (_none, index) => manager(`u${index + 1}`, index + 1, fields(index + 1))).toSorted(
    (a, b) => (a.manager < b.manager ? -1 : 1),
  );

/** Each as `name version second: what it owns`. */
const summaryOf = (managers: Managers): readonly string[] =>
  [...managers.values()]
    .map(({ manager: name, apiVersion, time, fields }) => {
      const owned = Object.keys(fields['f:data'] ?? {}).map((element) => element.slice(2));
      return `${name} ${apiVersion} ${Number(time.slice(17, 19))}: ${owned.join(' ')}`;
    })
    .toSorted();

const untouched = (...numbers: readonly number[]): readonly string[] =>
  numbers.map((number) => `u${number} v1 ${number}: u${number}`);

// Source: apimachinery pkg/util/managedfields/internal/capmanagers.go and capmanagers_test.go.
test('ten updaters stay as they are', () => {
  const managers = of(updaters(10));
  expect(capManagers(managers)).toBe(managers);
});

test('appliers do not count', () => {
  const managers = of([...updaters(10), manager('a', 0, { operation: 'Apply' })]);
  expect(capManagers(managers)).toBe(managers);
});

test('of eleven the two oldest become one, as old as the younger of them', () => {
  expect(summaryOf(capManagers(of(updaters(11))))).toEqual(
    ['ancient-changes v1 2: u1 u2', ...untouched(10, 11, 3, 4, 5, 6, 7, 8, 9)].toSorted(),
  );
});

test('of thirteen the four oldest do', () => {
  expect(summaryOf(capManagers(of(updaters(13))))).toEqual(
    ['ancient-changes v1 4: u1 u2 u3 u4', ...untouched(10, 11, 12, 13, 5, 6, 7, 8, 9)].toSorted(),
  );
});

test('those of one version: who is alone in its version stays', () => {
  const [versions, fields] = [['v2', 'v1', 'v2', 'v1'], (at: number) => ({ apiVersion: versions[at - 1] ?? 'v1' })];
  expect(summaryOf(capManagers(of(updaters(12, fields))))).toEqual(
    ['ancient-changes v2 3: u1 u3', 'ancient-changes v1 4: u2 u4', ...untouched(10, 11, 12, 5, 6, 7, 8, 9)].toSorted(),
  );
  const alone = (second: number) => ({ apiVersion: second === 1 ? 'v0' : 'v1' });
  expect(summaryOf(capManagers(of(updaters(11, alone))))).toEqual(
    ['u1 v0 1: u1', 'ancient-changes v1 3: u2 u3', ...untouched(10, 11, 4, 5, 6, 7, 8, 9)].toSorted(),
  );
});

test('of those that are equally old the first by identity', () => {
  const sameAge = of(updaters(11, () => ({ time: at(1) })));
  expect(summaryOf(capManagers(sameAge))[0]).toBe('ancient-changes v1 1: u1 u10');
});

test('what was merged before takes more', () => {
  const ancient = manager('ancient-changes', 1, { fields: { 'f:data': { 'f:x': {} } } });
  expect(summaryOf(capManagers(of([...updaters(11).filter(({ manager: name }) => name !== 'u1'), ancient])))).toEqual(
    ['ancient-changes v1 2: x u2', ...untouched(10, 11, 3, 4, 5, 6, 7, 8, 9)].toSorted(),
  );
});
