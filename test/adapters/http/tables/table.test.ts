import { expect, test } from 'vitest';
import { asList, type JsonObject, valueAt } from '../../../../src/machinery/json/json.ts';
import { asTable, readIncludeObject, type TableOptions } from '../../../../src/adapters/http/tables/table.ts';
import { loadRelease } from '../../../../src/api/release/load-release.ts';
import { recordedRelease } from '../../../harness/recorded-release.ts';

const now = Date.parse('2026-01-02T00:00:00Z');
const creationTimestamp = '2026-01-01T23:59:00Z';
const named = (name: string, fields: object = {}): JsonObject => ({ metadata: { name, creationTimestamp }, ...fields });
const secret = (fields: object = {}): JsonObject => ({
  kind: 'Secret',
  apiVersion: 'v1',
  ...named('s', { type: 'Opaque', ...fields }),
});
const list = (kind: string, items: readonly JsonObject[], apiVersion = 'v1'): JsonObject => ({
  kind: `${kind}List`,
  apiVersion,
  metadata: { resourceVersion: '7' },
  items,
});

function table(object: JsonObject, options: Partial<TableOptions> = {}): JsonObject {
  return asTable(object, { release: recordedRelease, version: 'v1', includeObject: 'Metadata', now, ...options });
}

// Source: conversations with kube-apiserver v1.36.2 (crud-table*); apiserver pkg/registry/rest/table.go.
const rows: readonly [fact: string, object: JsonObject, rows: unknown][] = [
  ['one object is one row', secret(), [['s', 'Opaque', 0, '60s']]],
  [
    'a list has a row for each item',
    list('Secret', [named('a'), named('b')]),
    [
      ['a', '', 0, '60s'],
      ['b', '', 0, '60s'],
    ],
  ],
  ['an empty list has none', list('Secret', []), []],
  ['an empty list of a kind without columns has not even that', list('LimitRange', []), undefined],
  ['a kind without columns shows when', list('LimitRange', [named('l')]), [['l', creationTimestamp]]],
  [
    'a review was never created',
    { kind: 'TokenReview', apiVersion: 'authentication.k8s.io/v1', metadata: {} },
    [['', '0001-01-01T00:00:00Z']],
  ],
  [
    'a Scale has columns of its own',
    { kind: 'Scale', apiVersion: 'autoscaling/v1', ...named('d', { spec: { replicas: 3 }, status: { replicas: 1 } }) },
    [['d', 3, 1, '60s']],
  ],
  [
    'flow schemas come by precedence',
    list(
      'FlowSchema',
      [named('b', { spec: { matchingPrecedence: 9 } }), named('a', { spec: { matchingPrecedence: 1 } })],
      'flowcontrol.apiserver.k8s.io/v1',
    ),
    [
      ['a', '', 1, '<none>', '60s', '?'],
      ['b', '', 9, '<none>', '60s', '?'],
    ],
  ],
  [
    'a kind that only sounds like a list',
    { kind: 'Wishlist', apiVersion: 'v1', ...named('w') },
    [['w', creationTimestamp]],
  ],
];

test.each(rows)('%s', (_fact, object, expected) => {
  const { rows: made } = table(object);
  expect(Array.isArray(made) ? made.map(({ cells }) => cells) : undefined).toEqual(expected);
});

const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: secret()['metadata'] };
const included: readonly [fact: string, object: JsonObject, options: Partial<TableOptions>, row: unknown][] = [
  ['metadata', secret(), {}, partial],
  ['metadata of an older version', secret(), { version: 'v1beta1' }, { ...partial, apiVersion: 'meta.k8s.io/v1beta1' }],
  ['nothing', secret(), { includeObject: 'None' }, null],
  ['all of it', secret(), { includeObject: 'Object' }, secret()],
  [
    'all of an item, which learns its kind',
    list('Secret', [named('s', { type: 'Opaque' })]),
    { includeObject: 'Object' },
    secret(),
  ],
];

test.each(included)('a row carries %s', (_fact, object, options, expected) => {
  expect(table(object, options)['rows']).toEqual([{ cells: expect.anything(), object: expected }]);
});

test.each([
  ['Succeeded', 'The pod has completed successfully.'],
  ['Failed', 'The pod failed.'],
])('the row of a pod that has %s says so', (phase, message) => {
  const pod = { kind: 'Pod', apiVersion: 'v1', ...named('p', { status: { phase } }) };
  expect(table(pod, { includeObject: 'None' })['rows']).toEqual([
    {
      cells: expect.anything(),
      conditions: [{ type: 'Completed', status: 'True', reason: phase, message }],
      object: null,
    },
  ]);
});

test('a list keeps what continues it', () => {
  const metadata = { resourceVersion: '7', continue: 'token', remainingItemCount: 0 };
  expect(table({ ...list('Secret', []), metadata })).toMatchObject({
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
  });
});

test('columns say all there is to say', () => {
  expect(table(list('Secret', []))['columnDefinitions']).toEqual([
    { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 },
    { name: 'Type', type: 'string', format: '', description: '', priority: 0 },
    { name: 'Data', type: 'string', format: '', description: '', priority: 0 },
    { name: 'Age', type: 'string', format: '', description: '', priority: 0 },
  ]);
});

// Source: apimachinery pkg/apis/meta/v1beta1/validation/validation.go
test.each([
  ['', 'Metadata'],
  ['includeObject=', 'Metadata'],
  ['includeObject=Metadata', 'Metadata'],
  ['includeObject=None', 'None'],
  ['includeObject=Object', 'Object'],
  [
    'includeObject=x',
    `Unable to convert to Table as requested: includeObject: Invalid value: "x": must be 'Metadata', 'Object', 'None', or empty`,
  ],
])('"%s" asks for %s', (query, expected) => {
  const read = readIncludeObject(new URLSearchParams(query));
  expect(read.ok ? read.value : read.status.message).toBe(expected);
});

// Source: kubernetes v1.36.2 and v1.37.2 pkg/printers/internalversion/printers.go printStorageClassList.
test.each([
  ['1.36', ['a (default)', 'b (default)', 'c', 'd (default)']],
  ['1.37', ['a', 'b (default)', 'c', 'd']],
])('the default StorageClass in a list of %s', async (name, names) => {
  const storageClass = (of: string, creationTimestamp: string, isDefault = true): JsonObject => ({
    metadata: {
      name: of,
      creationTimestamp,
      annotations: { 'storageclass.kubernetes.io/is-default-class': String(isDefault) },
    },
  });
  const classes = [
    storageClass('a', '2026-01-01T00:00:00Z'),
    storageClass('b', '2026-01-01T23:00:00Z'),
    storageClass('c', '2026-01-01T23:30:00Z', false),
    storageClass('d', '2026-01-01T23:00:00Z'),
  ];
  const { rows: printed } = table(list('StorageClass', classes, 'storage.k8s.io/v1'), {
    release: await loadRelease(name),
  });
  expect(asList(printed).map((row) => asList(valueAt(row, 'cells'))[0])).toEqual(names);
});
