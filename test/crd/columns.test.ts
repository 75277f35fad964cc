import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/apimachinery/json.ts';
import { customColumns } from '../../src/crd/engine.ts';
import { widgets } from './custom-object.ts';

const now = Date.UTC(2026, 0, 2);
const object: JsonObject = {
  metadata: { creationTimestamp: '2026-01-01T22:00:00Z', labels: { 'example.com/x': 'y' } },
  spec: { s: 'text', i: 7, n: 1.5, o: { a: 'x' }, l: ['p', 'q'], b: false, never: null, when: 'soon' },
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
test.each<[type: string, path: string, expected: JsonValue]>([
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
  ['string', '.spec.l[', null],
  // Ours: nobody writes longer ones.
  ['string', `.spec.s${'.x'.repeat(1000)}`, null],
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

test('a version without columns shows the age', () => {
  const { definitions, cells } = customColumns(widgets({}), 'v1');
  expect(definitions).toMatchObject([{ name: 'Age', type: 'date', format: '', priority: 0 }]);
  expect(cells(object, now)).toEqual(['120m']);
});
