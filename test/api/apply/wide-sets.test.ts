import { expect, test } from 'vitest';
import { sorted } from '../../../src/api/apply/element-order.ts';
import type { FieldSet } from '../../../src/api/apply/field-set.ts';
import { leaf } from '../../../src/api/apply/field-set.ts';

// To list the names of a wide object takes V8 milliseconds, and to look at the first of them takes as long.

test('the elements of a wide set are listed once', () => {
  const names = Array.from({ length: 3_000 }, (_none, at) => `f:n${String(at).padStart(4, '0')}`);
  const wide: FieldSet = Object.fromEntries(names.map((name) => [name, leaf]));
  let listed = 0;
  const ownKeys = (target: FieldSet): ArrayLike<string | symbol> => {
    listed += 1;
    return Reflect.ownKeys(target);
  };
  expect(Object.keys(sorted(new Proxy(wide, { ownKeys })))).toEqual(names);
  // Whoever compares it with what is expected lists it, too.
  expect(listed).toBe(2);
});
