import { expect, test } from 'vitest';
import { workInTime } from '../../src/apimachinery/in-turns.ts';
import type { JsonObject, JsonValue } from '../../src/apimachinery/json.ts';
import { inManyTurns } from '../harness/turns.ts';
import { typeOf, widget, widgets } from './custom-object.ts';

const open: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const texts: JsonObject = { type: 'object', additionalProperties: { type: 'string' } };

/** Names that stand in order. */
const names = Array.from({ length: 3_000 }, (_none, at) => `f${String(at).padStart(4, '0')}`);

/** An object of many fields that counts how often somebody asks for all of them. */
function counted() {
  let listed = 0;
  const ownKeys = (target: object): (string | symbol)[] => {
    listed += 1;
    return Reflect.ownKeys(target);
  };
  const fields: { [name: string]: JsonValue } = Object.fromEntries(names.map((name) => [name, 'v']));
  return { value: new Proxy<{ [name: string]: JsonValue }>(fields, { ownKeys }), listed: () => listed };
}

// V8 takes twenty milliseconds to list a hundred thousand fields.
test.each([
  ['that nobody knows the type of', open],
  ['of one type', texts],
])('however often the work is begun again, many fields %s are listed once', (_what, schema) => {
  const type = typeOf(widgets({ type: 'object', properties: { v: schema } }));
  const { value, listed } = counted();
  const work = () => {
    const decoded = type.decodeValue(widget({ v: value }));
    if (decoded.outcome === 'undecodable') throw new Error(decoded.error);
    return type.prune(type.applyDefaults(decoded.object));
  };
  let now = 0;
  const { turns } = inManyTurns(workInTime(work), () => (now += 1));
  expect(turns).toBeGreaterThan(100);
  expect(listed()).toBe(1);
});

test('others are let in while the fields that a schema does not know are told in order', () => {
  const type = typeOf(widgets({ type: 'object' }));
  const work = () => type.decodeValue(widget(Object.fromEntries(names.slice(0, 300).map((name) => [name, 'v']))));
  const { turns, value } = inManyTurns(workInTime(work));
  expect(value).toEqual(work());
  expect(turns).toBeGreaterThan(1_000);
});

// What has been read once is known when the work is begun again, and is not looked for at the places of other loops.
test.each([
  ['a field of metadata', {}, { metadata: { name: 'x', nobodyKnows: 1 }, nobodyKnows: 1 }],
  [
    'a field of metadata inside',
    { properties: { pod: { type: 'object', 'x-kubernetes-embedded-resource': true } } },
    {
      metadata: { name: 'x' },
      spec: { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { nobodyKnows: 1 }, nobodyKnows: 1 } },
    },
  ],
])('others are let in while an object is read with %s that nobody knows', (_what, spec, fields) => {
  const type = typeOf(widgets({ type: 'object', ...spec }));
  const body = { apiVersion: 'example.com/v1', kind: 'Widget', ...fields };
  const { turns, value } = inManyTurns(workInTime(() => type.decodeValue(body)));
  expect(turns).toBeGreaterThan(1);
  expect(value).toEqual(type.decodeValue(structuredClone(body)));
});
