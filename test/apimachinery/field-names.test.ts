import { expect, test, vi } from 'vitest';
import { keepNames, namesOf, sortedNamesOf } from '../../src/apimachinery/field-names.ts';
import { plainValue, readJson } from '../../src/apimachinery/json-reader.ts';
import type { JsonDocument } from '../../src/apimachinery/json.ts';
import { readYamlAtOnce } from '../../src/apimachinery/yaml/read-yaml.ts';

const objectOf = (length: number): object =>
  Object.fromEntries(Array.from({ length }, (_none, at) => [`name-${length - at}`, at]));

test.each([0, 1, 2, 2_000, 2_001, 5_000])('the names of %i fields, as they stand and sorted, asked twice', (length) => {
  const object = objectOf(length);
  for (const _time of [1, 2]) {
    expect(namesOf(object)).toEqual(Object.keys(object));
    expect(sortedNamesOf(object)).toEqual(Object.keys(object).toSorted());
  }
});

test('large objects of the same names are told apart', () => {
  const [one, other] = [objectOf(3_000), { ...objectOf(3_000), another: 1 }];
  expect([namesOf(one).length, namesOf(other).length, namesOf(one).length]).toEqual([3_000, 3_001, 3_000]);
});

test('names that are told are not looked for, unless whole numbers are among them', () => {
  const [told, numbered] = [objectOf(3_000), Object.fromEntries([...Object.entries(objectOf(3_000)), ['7', 1]])];
  const names = Object.keys(told);
  keepNames(told, names);
  keepNames(numbered, [...names, '7']);
  expect(namesOf(told)).toBe(names);
  expect(namesOf(numbered)[0]).toBe('7');
});

const read = (text: string): JsonDocument => {
  const reading = readJson(text);
  return reading.outcome === 'read' ? reading.json.value : null;
};
const readYaml = (text: string): JsonDocument => {
  const reading = readYamlAtOnce(text);
  return reading.outcome === 'read' ? reading.value : null;
};
const fieldsIn = (member: (at: number) => string): string =>
  Array.from({ length: 3_000 }, (_, at) => member(at)).join();

test.each<[what: string, value: () => JsonDocument]>([
  ['JSON', () => read(`{"a":{${fieldsIn((at) => `"name-${at}":"${'v'.repeat(20)}"`)}}}`)],
  ['JSON that is odd', () => read(`{"a":{${fieldsIn((at) => `"name-${at % 2_500}":1.0`)}}}`)],
  ['odd JSON that was made plain', () => plainValue(read(`{"a":{${fieldsIn((at) => `"name-${at}":1.0`)}}}`))],
  ['YAML', () => readYaml(`{a: {${fieldsIn((at) => `name-${at}: v`)}, <<: {other: v}, name-0: v}}`)],
])('a wide map that was read from %s has its names', (_what, value) => {
  const wide = Object(Object(value()).a);
  const listing = vi.spyOn(Object, 'keys');
  try {
    const names = namesOf(wide);
    expect(listing).not.toHaveBeenCalled();
    expect(names).toEqual(Reflect.ownKeys(wide));
  } finally {
    listing.mockRestore();
  }
});
