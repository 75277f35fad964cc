import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { customColumns, scaleColumns } from '../../../src/api/crd/engine.ts';
import { widgets } from './custom-object.ts';

const now = Date.UTC(2026, 0, 2);
const object: JsonObject = {
  metadata: { creationTimestamp: '2026-01-01T22:00:00Z', labels: { 'example.com/x': 'y' } },
  spec: {
    s: 'text',
    i: 7,
    n: 1.5,
    o: { a: 'x' },
    l: ['p', 'q'],
    b: false,
    never: null,
    when: 'soon',
    huge: 1e21,
    whole: 9007199254740993n,
  },
  status: {
    conditions: [
      { type: 'Other', status: 'F' },
      { type: 'Ready', status: 'True', n: 3 },
    ],
  },
};

const cell = (type: string, jsonPath: string): JsonValue | undefined => {
  const definition = widgets({}, {}, { additionalPrinterColumns: [{ name: 'X', type, jsonPath }] });
  return customColumns(definition, 'v1').cells(object, now)[0];
};

// Source: recorded conversation crd-table-jsonpath; client-go util/jsonpath/jsonpath_test.go.
test.each<[type: string, path: string, expected: JsonValue | undefined]>([
  ['integer', '.spec.s', null],
  ['integer', '.spec.n', 1],
  ['number', '.spec.n', 1.5],
  ['string', '.spec.i', '7'],
  ['string', '.spec.o', '{"a":"x"}'],
  ['string', '.spec.l', '["p","q"]'],
  ['string', '.spec.l[*]', 'p'],
  ['string', '.spec.l[0]', 'p'],
  ['string', '.spec.l[-1]', 'q'],
  ['string', '.spec.l[1:]', 'q'],
  ['string', '.spec.l[9]', null],
  ['string', '.spec.l[0,1]', 'p'],
  ['string', `.spec['s']`, 'text'],
  ['string', '.spec.*', 'text'],
  ['string', '..type', 'Other'],
  ['string', '.status.conditions[?(@.type=="Ready")].status', 'True'],
  ['string', `.status.conditions[?(@.type=='Ready')].status`, 'True'],
  ['string', '.status.conditions[?(@.n>2)].type', 'Ready'],
  ['string', '.status.conditions[?(@.n)].type', 'Ready'],
  ['string', '.status.conditions[?(@.type!="Ready")].type', 'Other'],
  ['string', String.raw`.metadata.labels.example\.com/x`, 'y'],
  ['string', '.spec.b', 'false'],
  ['boolean', '.spec.b', false],
  ['string', '.spec.s.deeper', null],
  ['string', '.spec.constructor', null],
  ['date', '.metadata.creationTimestamp', '120m'],
  ['date', '.spec.when', '<invalid>'],
  ['string', '.spec.l[', undefined],
  // Source: client-go util/jsonpath/parser.go; columns of kube-apiserver v1.36.2.
  ['string', '.', null],
  ['string', '.spec.s .spec.i', null],
  ['string', '.spec .s', 'text'],
  ['string', '$.spec@.s', 'text'],
  ['string', `.metadata.labels['example.com/x']`, null],
  ['string', String.raw`.metadata.labels['example\.com/x']`, 'y'],
  ['string', '.spec.o[*]', null],
  ['string', '.spec.l[0:9]', null],
  ['string', '.spec.l[0:1:0]', null],
  ['string', '.spec.l[0:2:2]', 'p'],
  ['string', '.spec.l[]', 'p'],
  ['string', '.spec.l[1:1]', null],
  ['string', `.spec['none','s']`, 'text'],
  ['string', '.spec "in quotes"', 'in quotes'],
  ['integer', '.spec 12', 12],
  ['string', '.spec.s}.spec.i', 'text'],
  ['string', '.spec.s.range', null],
  ['string', '..*', undefined],
  ['string', '....s', undefined],
  ['string', '.spec.s range', null],
  ['string', '.status.conditions[?(@.n==3.5)].type', null],
  ['string', '.status.conditions[?(@.type)].type', 'Other'],
  ['string', '.status.conditions[?( @.type == "Ready" )].status', 'True'],
  ['string', '.spec.o[?(@.a=="x")].a', null],
  ['integer', '.spec.huge', -(2n ** 63n)],
  ['number', '.spec.whole', 9007199254740992],
  // A limit of kadmit.
  ['string', `.spec.s${'.x'.repeat(1000)}`, undefined],
])('%s %s', (type, path, expected) => {
  expect(cell(type, path)).toEqual(expected);
});

// Every pair of dots finds all that the one before it found, and everything below.
test('a path is followed as long as it finds so many values, and no further', () => {
  let deep: JsonObject = { found: 'x' };
  for (let level = 0; level < 90; level += 1) deep = { a: deep, b: [deep] };
  const definition = widgets(
    {},
    {},
    { additionalPrinterColumns: [{ name: 'X', type: 'string', jsonPath: '..a..b..found' }] },
  );
  expect(customColumns(definition, 'v1').cells({ spec: deep }, now)).toEqual([null]);
});

// Source: apiextensions-apiserver pkg/registry/customresource/tableconvertor/tableconvertor.go New, which keeps what it has made.
test('columns end before the first whose path cannot be read', () => {
  const columns = ['.spec.s', '.spec[', '.spec.i'].map((jsonPath) => ({ name: 'X', type: 'string', jsonPath }));
  const { definitions, cells } = customColumns(widgets({}, {}, { additionalPrinterColumns: columns }), 'v1');
  expect(definitions).toHaveLength(1);
  expect(cells(object, now)).toEqual(['text']);
});

// Source: apiextensions-apiserver pkg/apiserver/helpers.go getScaleColumnsForVersion.
test('a Scale shows the replicas that are wanted, those that there are, and its age', () => {
  const { definitions, cells } = scaleColumns();
  expect(definitions.map(({ name, type }) => [name, type])).toEqual([
    ['Desired', 'integer'],
    ['Available', 'integer'],
    ['Age', 'date'],
  ]);
  expect(cells({ ...object, spec: {}, status: { replicas: 2 } }, now)).toEqual([null, 2, '120m']);
});

test('a version without columns shows the age', () => {
  const { definitions, cells } = customColumns(widgets({}), 'v1');
  expect(definitions).toMatchObject([{ name: 'Age', type: 'date', format: '', priority: 0 }]);
  expect(cells(object, now)).toEqual(['120m']);
});
