import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { writeJsonForGo } from '../../../src/machinery/json/json-writer.ts';
import { indentJson, isLongList, listPieces } from '../../../src/adapters/http/write-long-list.ts';

const item = (index: number): JsonObject => ({
  metadata: { name: `o-${index}`, annotations: { '<&>': 'ü\u2028', ends: 'a: "{}"' } },
  spec: { args: ['--a', '- b'], empty: {}, none: [], gone: undefined, text: `first ${'long '.repeat(30)}\nsecond\n` },
});
const items = (count: number): JsonObject[] => Array.from({ length: count }, (_, index) => item(index));

const built = (count: number): JsonObject => ({
  kind: 'ConfigMapList',
  apiVersion: 'v1',
  metadata: { resourceVersion: '7', continue: undefined },
  items: items(count),
});
const custom: JsonObject = { apiVersion: 'a/v1', items: items(40), kind: 'CronTabList', metadata: {} };
const table: JsonObject = { kind: 'Table', columnDefinitions: [{ name: 'Name' }], rows: items(33), later: 1 };
const both: JsonObject = { items: items(32), rows: items(50) };

const cases: readonly [what: string, list: JsonObject][] = [
  ['as few items as are written in pieces', built(32)],
  ['one more', built(33)],
  ['more than fit into one piece', built(1_500)],
  ['items in the middle', custom],
  ['rows', table],
  ['two long fields', both],
  ['items that are no objects', { items: [...items(31), null] }],
];

test.each(cases)('%s: the same bytes as the whole text', (_what, list) => {
  expect(Buffer.concat(listPieces(list, false)).toString()).toBe(`${writeJsonForGo(list)}\n`);
  expect(Buffer.concat(listPieces(list, true)).toString()).toBe(indentJson(writeJsonForGo(list)));
});

test('a list of fewer than 32, and what has no items, is written as one text', () => {
  expect(isLongList(built(31))).toBe(false);
  expect(isLongList(built(32))).toBe(true);
  expect(isLongList({ kind: 'ConfigMap', items: 'x'.repeat(100) })).toBe(false);
  expect(isLongList(table)).toBe(true);
});

test('no piece of a long list is long', () => {
  const pieces = listPieces(built(1_500), false);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(256 * 1024);
  expect(pieces.length).toBeGreaterThan(2);
});

test('a list that is written again has the same bytes, whatever of it is kept', () => {
  const text = `ü${'long '.repeat(300)}\u2028`;
  const many = Array.from({ length: 200 }, (_, index) => ({ ...item(index), data: index % 3 === 0 ? text : 'short' }));
  const list: JsonObject = { ...built(0), items: [...many, null] };
  for (let turn = 0; turn < 3; turn += 1) {
    expect(Buffer.concat(listPieces(list, false)).toString()).toBe(`${writeJsonForGo(list)}\n`);
  }
});
