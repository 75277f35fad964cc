import { expect, test } from 'vitest';
import { copyJson } from '../../../src/app/library/create-client.ts';

class Named {
  constructor(name: string) {
    this.name = name;
  }
  readonly name: string;
  readonly hidden = undefined;
}

const values: readonly [what: string, value: object][] = [
  ['fields in order', { b: 1, a: { c: [true, 'x', null, {}] } }],
  [
    'what JSON cannot say, left out of objects and null in lists',
    { a: undefined, b: () => 1, c: [undefined, () => 1] },
  ],
  ['holes in a list', Array(2)],
  ['numbers that are none', { a: Number.NaN, b: [Number.POSITIVE_INFINITY], c: -0 }],
  ['dates', { at: new Date(0), all: [new Date(1)] }],
  ['own ways into JSON', { a: { toJSON: () => ({ b: 1 }) } }],
  ['instances of classes', { a: new Named('x'), b: new Map([[1, 2]]), c: Object('text') }],
  ['objects without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ['a field named __proto__', JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":[2]}}')],
  ['fields named as what objects inherit', { constructor: 1, toString: 2 }],
];

test.each(values)('copies %s as JSON does', (_what, value) => {
  expect(JSON.stringify(copyJson(value))).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
});

test('a field named __proto__ stays a field', () => {
  const copy = copyJson(JSON.parse('{"__proto__":{"a":1}}'));
  expect(Object.keys(copy)).toEqual(['__proto__']);
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test('integers beyond 2^53 become numbers, inside of instances too', () => {
  expect(copyJson({ a: 2n ** 53n, b: [1n], c: Object.assign(new Named('x'), { d: 2n }) })).toEqual({
    a: 2 ** 53,
    b: [1],
    c: { name: 'x', d: 2 },
  });
});

test('a copy shares nothing with its original', () => {
  const value = { a: [{ b: 1 }] };
  const copy = copyJson(value);
  value.a.push({ b: 2 });
  expect(copy).toEqual({ a: [{ b: 1 }] });
});

test('a circle is refused as JSON refuses it', () => {
  const circle: Record<string, unknown> = {};
  circle['itself'] = circle;
  expect(() => copyJson(circle)).toThrow(/circular/);
});
