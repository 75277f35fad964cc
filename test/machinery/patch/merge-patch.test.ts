import { expect, test } from 'vitest';
import { JsonNumber } from '../../../src/machinery/json/json.ts';
import { applyMergePatch, decodeMergePatch } from '../../../src/machinery/patch/merge-patch.ts';
import { readJson } from '../../../src/machinery/json/json-reader.ts';

function merged(document: string, patch: string): unknown {
  const [target, change] = [readJson(document), readJson(patch)];
  if (target.outcome !== 'read' || change.outcome !== 'read') throw new Error('unreadable');
  return applyMergePatch(target.json.value, change.json.value);
}

// Source: RFC 7386 appendix A, without its rows about documents that are no objects; gopkg.in/evanphx/json-patch.v4 merge.go.
const rows: readonly [document: string, patch: string, result: unknown][] = [
  ['{"a":"b"}', '{"a":"c"}', { a: 'c' }],
  ['{"a":"b"}', '{"b":"c"}', { a: 'b', b: 'c' }],
  ['{"a":"b"}', '{"a":null}', {}],
  ['{"a":"b","b":"c"}', '{"a":null}', { b: 'c' }],
  ['{"a":["b"]}', '{"a":"c"}', { a: 'c' }],
  ['{"a":"c"}', '{"a":["b"]}', { a: ['b'] }],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', { a: { b: 'd' } }],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', { a: [1] }],
  ['{"e":null}', '{"a":1}', { e: null, a: 1 }],
  ['{}', '{"a":{"bb":{"ccc":null}}}', { a: { bb: {} } }],
  // A subtree that is new loses its nulls, inside lists too; null elements stay.
  ['{"e":null}', '{"e":{"a":null,"l":[{"x":null},null]}}', { e: { l: [{}, null] } }],
  ['{"e":[1]}', '{"e":{"a":null}}', { e: {} }],
  ['{"e":{}}', '{"e":[{"x":null}]}', { e: [{ x: null }] }],
  ['{"e":1}', '{"e":[{"x":null}]}', { e: [{}] }],
  ['{"n":1.0}', '{"m":2.50}', { n: new JsonNumber('1.0'), m: new JsonNumber('2.50') }],
  ['{"a":1}', '{"__proto__":{"x":1}}', JSON.parse('{"a":1,"__proto__":{"x":1}}')],
];

test.each(rows)('%s with %s', (document, patch, result) => {
  expect(merged(document, patch)).toEqual(result);
});

test('what did not change is shared, and the document stays', () => {
  const document = Object.freeze({ a: { b: 1 }, c: 2 });
  expect(Object(applyMergePatch(document, { c: null })).a).toBe(document.a);
});

// Source: spec/kubectl.md 7.4 and the fact crud-patch-errors.
const refusals: readonly [patch: string, checked: string, unchecked: string | undefined][] = [
  [
    '{bad',
    "error decoding patch: invalid character 'b' looking for beginning of object key string",
    'Invalid JSON Patch',
  ],
  ['', 'error decoding patch: unexpected end of JSON input', 'Invalid JSON Patch'],
  ['null', 'Invalid JSON Patch', 'Invalid JSON Patch'],
  [
    '5',
    'error decoding patch: json: cannot unmarshal number into Go value of type map[string]interface {}',
    'Invalid JSON Patch',
  ],
  ['[]', 'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}', undefined],
];

test.each(refusals)('%j is refused', (patch, checked, unchecked) => {
  expect(decodeMergePatch(patch, true)).toEqual({ outcome: 'undecodable', error: checked });
  expect(decodeMergePatch(patch, false)).toMatchObject(
    unchecked === undefined ? { outcome: 'decoded' } : { outcome: 'undecodable', error: unchecked },
  );
});

test('repeated members are reported', () => {
  expect(decodeMergePatch('{"a":{"b":1,"b":2}}', true)).toEqual({
    outcome: 'decoded',
    patch: { a: { b: 2 } },
    strict: ['duplicate field "a.b"'],
  });
});
