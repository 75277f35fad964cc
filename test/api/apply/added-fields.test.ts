import { expect, test } from 'vitest';
import { addedFields, setOf } from '../../../src/api/apply/added-fields.ts';
import { sorted } from '../../../src/api/apply/element-order.ts';
import { valueTypesOf, deduced } from '../../../src/api/apply/value-type.ts';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import { currentRelease } from '../../../src/api/release/current-release.ts';

const ports = valueTypesOf(currentRelease.types)('core.v1.Container');

/** The text, for the order counts: structured-merge-diff typed/compare.go and fieldpath/element.go. */
const rows: Readonly<Record<string, readonly [JsonValue, string]>> = {
  'fields stand by name': [{ name: 'c', image: 'i' }, '{".":{},"f:image":{},"f:name":{}}'],
  'elements stand by key, numbers by value': [
    { ports: [{ containerPort: 90 }, { containerPort: 8080 }, { containerPort: 443 }] },
    '{".":{},"f:ports":{".":{},' +
      '"k:{\\"containerPort\\":90,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}},' +
      '"k:{\\"containerPort\\":443,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}},' +
      '"k:{\\"containerPort\\":8080,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{}}}}',
  ],
  'elements of one name are one leaf': [
    { env: [{ name: 'b' }, { name: 'a', value: '1' }, { name: 'b', value: '2' }] },
    '{".":{},"f:env":{".":{},"k:{\\"name\\":\\"a\\"}":{".":{},"f:name":{},"f:value":{}},"k:{\\"name\\":\\"b\\"}":{}}}',
  ],
  'what is empty or atomic is a leaf': [
    { env: [], resources: {}, args: ['x'] },
    '{".":{},"f:args":{},"f:env":{},"f:resources":{}}',
  ],
};

test.each(Object.entries(rows))('%s', (_fact, [value, text]) => {
  const fields = addedFields(ports, value);
  expect(JSON.stringify(fields)).toBe(text);
  expect(sorted(JSON.parse(text))).toEqual(fields);
});

test('elements with two keys are named by both', () => {
  const pod = valueTypesOf(currentRelease.types)('core.v1.PodSpec');
  const topologySpreadConstraints = ['b', 'a'].map((topologyKey) => ({
    topologyKey,
    whenUnsatisfiable: 'DoNotSchedule',
  }));
  const named = (key: string): string =>
    `"k:{\\"topologyKey\\":\\"${key}\\",\\"whenUnsatisfiable\\":\\"DoNotSchedule\\"}"`;
  const inside = '{".":{},"f:topologyKey":{},"f:whenUnsatisfiable":{}}';
  expect(JSON.stringify(addedFields(pod, { topologySpreadConstraints }))).toBe(
    `{".":{},"f:topologySpreadConstraints":{".":{},${named('a')}:${inside},${named('b')}:${inside}}}`,
  );
});

test('equal fields are one set', () => {
  expect(addedFields(ports, { name: 'c', image: 'a' })).toBe(addedFields(ports, { name: 'c', image: 'b' }));
});

test('a key named as what objects inherit is a field', () => {
  expect(JSON.stringify(addedFields(deduced, JSON.parse('{"__proto__":{"a":1}}')))).toBe(
    '{".":{},"f:__proto__":{".":{},"f:a":{}}}',
  );
});

test.each([24, 25, 60])('%i fields stand by name, whatever order they came in', (count) => {
  const names = Array.from({ length: count }, (_none, at) => `k${String(at).padStart(2, '0')}`);
  const value = Object.fromEntries(names.toReversed().map((name) => [name, 'v']));
  expect(Object.keys(addedFields(deduced, value))).toEqual(['.', ...names.map((name) => `f:${name}`)]);
});

const named = (...names: readonly JsonValue[]): JsonValue => ({ env: names.map((name) => ({ name })) });
const inEnv = (...elements: readonly string[]): string =>
  `{".":{},"f:env":{".":{},${elements.map((element) => `${JSON.stringify(element)}:{".":{},"f:name":{}}`).join()}}}`;

// Source: structured-merge-diff typed/helpers.go keyedAssociativeListItemToPathElement.
test.each<[fact: string, value: JsonValue, text: string]>([
  ['one', named('a'), inEnv('k:{"name":"a"}')],
  ['two', named('b', 'a'), inEnv('k:{"name":"a"}', 'k:{"name":"b"}')],
  ['one that JSON escapes', named('"'), inEnv('k:{"name":"\\""}')],
  ['one that Go writes otherwise', named('a', '<'), inEnv('k:{"name":"\\u003c"}', 'k:{"name":"a"}')],
  ['one that is a number', named('a', 7), inEnv('k:{"name":7}', 'k:{"name":"a"}')],
  ['one that is empty', named('', 'a'), inEnv('k:{"name":""}', 'k:{"name":"a"}')],
])('elements are named by their key: %s', (_fact, value, text) => {
  expect(JSON.stringify(addedFields(ports, value))).toBe(text);
});

test('elements without their key, and what is no map, have its default', () => {
  const element = JSON.stringify('k:{"name":""}');
  expect(JSON.stringify(addedFields(ports, { env: [{ value: '1' }] }))).toBe(
    `{".":{},"f:env":{".":{},${element}:{".":{},"f:value":{}}}}`,
  );
  expect(JSON.stringify(addedFields(ports, { env: ['x'] }))).toBe(`{".":{},"f:env":{".":{},${element}:{}}}`);
});

/** Texts that nobody has asked for before; `length` characters each. */
function* newTexts(length: number): Generator<string, never> {
  for (let at = 0; ; at += 1) {
    const start = `{"f:${length}-${at}-`;
    yield `${start}${'x'.repeat(length - start.length - 5)}":{}}`;
  }
}

/** How many more texts are asked for until the first is forgotten. Two others are there then: what was asked for last. */
function keptOf(length: number): number {
  const texts = newTexts(length);
  const askedUntilForgotten = (): number => {
    const first = texts.next().value;
    const set = setOf(first);
    for (let count = 1; ; count += 1) {
      const later = texts.next().value;
      setOf(later);
      if (setOf(first) !== set) return count;
    }
  };
  askedUntilForgotten();
  return askedUntilForgotten();
}

// Ours: sets of equal texts are one set, as far as there is room.
test('1,000 sets are kept, and of long texts 4 MiB; one of more than 64 KiB is not', () => {
  expect(keptOf(100)).toBe(1000 - 2);
  expect(keptOf(64 * 1024)).toBe(64 - 2);
  const [longest, tooLong] = [newTexts(64 * 1024).next().value, newTexts(64 * 1024 + 1).next().value];
  expect([setOf(longest) === setOf(longest), setOf(tooLong) === setOf(tooLong)]).toEqual([true, false]);
});
