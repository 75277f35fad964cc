import { expect, test } from 'vitest';
import { hasManyNames, namesOf } from '../../src/apimachinery/field-names.ts';
import type { JsonValue } from '../../src/apimachinery/json.ts';
import { sorted } from '../../src/apply/element-order.ts';
import { leaf } from '../../src/apply/field-set.ts';
import { fieldSetInTurns, fieldSetOf, withNamedFields } from '../../src/apply/field-set-of.ts';
import { deduced, valueTypesOf } from '../../src/apply/value-type.ts';
import { currentRelease } from '../../src/schema/release/current-release.ts';

const type = valueTypesOf(currentRelease.types)('core.v1.Pod');

const many = <Item>(item: (at: number) => Item): readonly Item[] =>
  Array.from({ length: 3_000 }, (_none, at) => item(at));
const map = (value: (at: number) => JsonValue): JsonValue =>
  Object.fromEntries(many((at) => [`k${(at * 7919) % 3_000}`, value(at)] as const));

const rows: Readonly<Record<string, JsonValue>> = {
  'a set': { metadata: { finalizers: many((at) => `a.b/${(at * 7919) % 3_000}`) } },
  'a set that repeats itself': { metadata: { finalizers: many((at) => `a.b/${at % 9}`) } },
  'a map of a struct': { metadata: { labels: map(() => 'v'), annotations: {} } },
  'items by name': { spec: { containers: many((at) => ({ name: `c${at}`, image: 'a', env: [{ name: 'A' }] })) } },
  'two of a name among many': {
    spec: {
      containers: [
        {
          name: 'c',
          env: [...['1', '2'].map((value) => ({ name: 'A', value })), ...many((at) => ({ name: `E${at}` }))],
        },
      ],
    },
  },
  'one item with many inside': {
    spec: { containers: [{ name: 'c', args: many(() => 'a'), env: many((at) => ({ name: `E${at}` })) }] },
  },
  'an atomic list': { spec: { tolerations: many((at) => ({ key: `k${at}` })) } },
  'nothing but what nobody knows': map((at) => (at % 3 === 0 ? {} : { a: [at], b: null })),
  'fields of a struct that are empty': { metadata: {}, spec: { containers: many(() => ({})) } },
};

test.each(Object.entries(rows))('%s: the same in turns, where others are let in', async (_what, value) => {
  let turns = 0;
  const set = await fieldSetInTurns(type, value, () => {
    turns += 1;
    return undefined;
  });
  const plain = fieldSetOf(type, value);
  expect(set).toEqual(plain);
  expect(JSON.stringify(sorted(set))).toBe(JSON.stringify(sorted(plain)));
  expect(turns).toBeGreaterThan(0);
});

test('what is small is one step', async () => {
  const asked: string[] = [];
  await fieldSetInTurns(type, { metadata: { labels: { a: 'b' } } }, () => void asked.push('paused'));
  expect(asked).toEqual([]);
});

test('a wide map is made as the member it is, so that nobody copies or lists what is in it', async () => {
  const names = many((at) => `k${at}`);
  const custom = Object.fromEntries(names.map((name) => [name, 'v'] as const));
  const set = await fieldSetInTurns(deduced, { custom }, () => undefined);
  const fields = set['f:custom'] ?? {};
  expect(hasManyNames(fields)).toBe(true);
  expect(namesOf(fields)).toEqual(['.', ...names.map((name) => `f:${name}`)]);
  expect(Object.keys(fields)).toEqual(namesOf(fields));
});

test('the fields of a struct are members with the wide maps in them, which nobody copies or lists', () => {
  const names = many((at) => `f:k${at}`);
  const labels = Object.fromEntries(names.map((name) => [name, leaf] as const));
  const named = withNamedFields(type, { 'f:metadata': { 'f:labels': labels } });
  const found = named['f:metadata']?.['f:labels'] ?? {};
  expect(named).toEqual({ 'f:metadata': { '.': leaf, 'f:labels': { '.': leaf, ...labels } } });
  expect(hasManyNames(found)).toBe(true);
  expect(namesOf(found)).toEqual(Object.keys(found));
});
