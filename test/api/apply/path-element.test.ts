import { expect, test } from 'vitest';
import {
  compareElements,
  sortFieldSet,
  sortElements,
  listItemToPathElement,
  formatManagedPath,
} from '../../../src/api/apply/path-element.ts';
import { getValueTypes, type ListType } from '../../../src/api/apply/value-type.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import { compareTexts } from '../../../src/machinery/go/strings.ts';
import { writeJsonForGo } from '../../../src/machinery/json/json-writer.ts';

// Source: structured-merge-diff fieldpath/element.go Less and value/value.go Compare.
const ordered: readonly string[] = [
  '.',
  'f:a',
  'f:b',
  'k:{"containerPort":80,"protocol":"TCP"}',
  'k:{"containerPort":443,"protocol":"TCP"}',
  'k:{"containerPort":443,"protocol":"UDP"}',
  'k:{"name":"c"}',
  'v:2',
  'v:10',
  'v:"a"',
  'v:true',
  'i:2',
  'i:10',
];

test('elements have an order', () => {
  expect(ordered.toReversed().toSorted(compareElements)).toEqual(ordered);
  expect(sortElements(ordered.toReversed())).toEqual(ordered);
  expect(sortElements(['f:b', '.', 'f:a'])).toEqual(['.', 'f:a', 'f:b']);
});

test('a set is sorted all the way down', () => {
  const set = { 'f:b': { 'k:{"a":10}': {}, 'k:{"a":9}': { 'f:y': {}, '.': {}, 'f:x': {} } }, 'f:a': {} };
  expect(JSON.stringify(sortFieldSet(set))).toBe(
    String.raw`{"f:a":{},"f:b":{"k:{\"a\":9}":{".":{},"f:x":{},"f:y":{}},"k:{\"a\":10}":{}}}`,
  );
});

// Source: structured-merge-diff fieldpath/path.go String.
const paths: readonly [path: readonly string[], text: string][] = [
  [['f:spec', 'f:containers', 'k:{"name":"c"}', 'f:image'], '.spec.containers[name="c"].image'],
  [['f:ports', 'k:{"containerPort":80,"protocol":"TCP"}'], '.ports[containerPort=80,protocol="TCP"]'],
  [['f:finalizers', 'v:"x"'], '.finalizers[="x"]'],
  [['f:set', 'v:7'], '.set[=7]'],
  [['f:set', 'v:{"a":1}'], '.set[=a=1]'],
  [['f:set', 'v:["a",true,null]'], '.set[=["a",true,null]]'],
  [['f:pools', 'k:{"name":{"a":"b"}}', 'f:name'], '.pools[name=a="b"].name'],
  [['f:args', 'i:0'], '.args[0]'],
];

test.each(paths)('%j', (path, text) => {
  expect(formatManagedPath(path)).toBe(text);
});

test('a key that is missing counts as its default', () => {
  const container = getValueTypes(recordedRelease.types)('core.v1.Container');
  const ports = container.is === 'map' ? container.field('ports') : undefined;
  const list: ListType | undefined = ports?.is === 'list' ? ports : undefined;
  expect(list && listItemToPathElement({ containerPort: 80 }, list)).toBe('k:{"containerPort":80,"protocol":"TCP"}');
});

const letters = ['', 'a', 'b', '"', '\\', '<', '\u2028', '\u0001', '\n', 'é', '\uffff', '😀', '😁', '\u{10000}'];
const texts = letters.flatMap((first) => letters.map((second) => first + second));
const keyed = (text: string): string => `k:{"n":${writeJsonForGo(text)},"m":1}`;

// Source: structured-merge-diff value/value.go Compare, which compares strings as they are spelt.
test('keys stand in the order in which Go spells their texts', () => {
  for (const a of texts) {
    for (const b of texts) {
      const [order, spelt] = [compareElements(keyed(a), keyed(b)), compareTexts(writeJsonForGo(a), writeJsonForGo(b))];
      expect([a, b, Math.sign(order)]).toEqual([a, b, Math.sign(spelt)]);
    }
  }
});
