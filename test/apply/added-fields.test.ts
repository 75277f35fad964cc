import { expect, test } from 'vitest';
import { addedFields } from '../../src/apply/added-fields.ts';
import { sorted } from '../../src/apply/element-order.ts';
import { valueTypesOf, deduced } from '../../src/apply/value-type.ts';
import type { JsonValue } from '../../src/apimachinery/json.ts';
import { currentRelease } from '../../src/schema/release/current-release.ts';

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
