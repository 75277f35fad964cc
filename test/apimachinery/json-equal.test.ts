import { expect, test } from 'vitest';
import { workInTime } from '../../src/apimachinery/in-turns.ts';
import { sameJson } from '../../src/apimachinery/json-equal.ts';
import type { JsonValue } from '../../src/apimachinery/json.ts';
import { inManyTurns } from '../harness/turns.ts';

/** An object of many fields that counts how often somebody asks for all of them. */
function counted(last: JsonValue) {
  let listed = 0;
  const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_none, at): [string, JsonValue] => [`f${at}`, at]));
  const value = new Proxy<{ [name: string]: JsonValue }>(
    { ...fields, last },
    {
      ownKeys: (target) => {
        listed += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  return { value, listed: () => listed };
}

test.each([
  [1, 1, true],
  [1, 2, false],
  [1, null, false],
])(
  'wide objects that end in %j and %j: the same? %j. Each is listed once, however often it is begun again',
  (...row) => {
    const [first, second, same] = row;
    const [a, b] = [counted(first), counted(second)];
    const { turns, value } = inManyTurns(workInTime(() => sameJson({ x: a.value }, { x: b.value })));
    expect(value).toBe(same);
    expect(turns).toBeGreaterThan(2_500);
    expect([a.listed(), b.listed()]).toEqual([1, 1]);
  },
);
