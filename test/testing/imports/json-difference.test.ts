import { expect, test } from 'vitest';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import { createJsonPatch } from '../../../src/testing/imports/admission-request.ts';

test.each<[fact: string, before: JsonValue, after: JsonValue, patch: readonly unknown[]]>([
  ['nothing', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
  ['a value', { a: { b: 1 } }, { a: { b: 2 } }, [{ op: 'replace', path: '/a/b', value: 2 }]],
  ['another type', { a: [1] }, { a: 'x' }, [{ op: 'replace', path: '/a', value: 'x' }]],
  [
    'fields, with names to escape',
    { 'a/b~c': 1 },
    { d: null },
    [
      { op: 'remove', path: '/a~1b~0c' },
      { op: 'add', path: '/d', value: null },
    ],
  ],
  [
    'elements that are gone: each removal is at the first of them',
    [1, 2, 3],
    [4],
    [
      { op: 'replace', path: '/0', value: 4 },
      { op: 'remove', path: '/1' },
      { op: 'remove', path: '/1' },
    ],
  ],
  [
    'new elements, before those that a server appended',
    [1],
    [1, 2, 3],
    [
      { op: 'add', path: '/1', value: 2 },
      { op: 'add', path: '/2', value: 3 },
    ],
  ],
])('the patch of %s', (_fact, before, after, patch) => {
  expect(createJsonPatch(before, after)).toEqual(patch);
});
