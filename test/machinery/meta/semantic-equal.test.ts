import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import { semanticEqual } from '../../../src/machinery/meta/semantic-equal.ts';
import { defaultRelease } from '../../../src/api/release/load-release.ts';
import type { TypeRef } from '../../../src/api/types/type-info.ts';

// Source: apimachinery pkg/api/equality/semantic.go and third_party/forked/golang/reflect/deep_equal.go
const facts: readonly [fact: string, a: JsonValue, b: JsonValue, equal: boolean][] = [
  ['the order of fields does not matter', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ['a missing field does', { a: 1, b: 2 }, { a: 1 }, false],
  ['the order of a list does', { a: [1, 2] }, { a: [2, 1] }, false],
  ['a null list equals an empty one', { containers: null }, { containers: [] }, true],
  ['but none with something in it', { containers: null }, { containers: [1] }, false],
  ['a null map equals an empty one', { labels: null }, { labels: {} }, true],
  ['and none with a field', { labels: null }, { labels: { a: 'b' } }, false],
  ['a field of another name is another field', { a: 1 }, { b: 1 }, false],
  ['nor is what all objects inherit a field', JSON.parse('{"__proto__":{}}'), { a: {} }, false],
  ['the first field counts', { a: 1, b: 2 }, { a: 2, b: 2 }, false],
  ['so does the last item', { a: [1, 2] }, { a: [1, 3] }, false],
  ['a longer list is another one', { a: [1] }, { a: [1, 2] }, false],
  ['a text is no number', { limits: { cpu: '1' } }, { limits: { cpu: 1 } }, false],
  ['an empty struct is not an absent pointer', { emptyDir: {} }, {}, false],
  ['quantities are equal by value', { limits: { memory: '1Gi' } }, { limits: { memory: '1073741824' } }, true],
  ['quantities of another value are not', { limits: { cpu: '1' } }, { limits: { cpu: '2' } }, false],
  ['what is no quantity is equal by letters', { limits: { cpu: 'some' } }, { limits: { cpu: 'none' } }, false],
  ['and never equals one', { limits: { cpu: 'some' } }, { limits: { cpu: '0' } }, false],
  ['texts of a list are equal by letters', { args: ['1Gi'] }, { args: ['1024Mi'] }, false],
  ['other texts are equal by letters', { data: { size: '1Gi' } }, { data: { size: '1024Mi' } }, false],
  ['a bigint is compared by value', { n: 9007199254740993n }, { n: 9007199254740993n }, true],
];

test.each(facts)('%s', (_fact, a, b, equal) => {
  expect(semanticEqual(a, b)).toBe(equal);
  expect(semanticEqual(b, a)).toBe(equal);
});

const { kinds, typeInfo } = defaultRelease.types;

/** The names of all fields that are a quantity or a map of them in some built-in type. */
function quantityFields(): ReadonlySet<string> {
  const found = new Set<string>();
  const types = new Set(kinds.values());
  // A set is gone through to its end, what is added on the way included.
  for (const name of types) {
    const info = typeInfo(name);
    for (const field of info?.is === 'struct' ? info.fields : []) {
      const type = inside(field.type);
      if (type.type === 'named') types.add(type.name);
      else if (type.type === 'scalar' && type.scalar === 'quantity' && field.type.type !== 'list')
        found.add(field.name);
    }
  }
  return found;
}

function inside(type: TypeRef): TypeRef {
  if (type.type === 'list' || type.type === 'map') return inside(type.of);
  const info = type.type === 'named' ? typeInfo(type.name) : undefined;
  return info?.is === 'alias' ? inside(info.of) : type;
}

/** Names that texts of other types have too. */
const ambiguous = ['resources', 'value'];

// Source: api@v0.36.2, every field of type resource.Quantity or ResourceList.
test.each([...quantityFields()].filter((name) => !ambiguous.includes(name)).toSorted())(
  'a built-in field that is a quantity is equal by value: %s',
  (name) => {
    expect(semanticEqual({ [name]: '1Gi' }, { [name]: '1073741824' })).toBe(true);
    expect(semanticEqual({ [name]: { a: '1Gi' } }, { [name]: { a: '1073741824' } })).toBe(true);
    expect(semanticEqual({ [name]: '1Gi' }, { [name]: '1G' })).toBe(false);
  },
);

test('all names of quantities are found in the types', () => {
  expect(quantityFields().size).toBeGreaterThan(20);
});
