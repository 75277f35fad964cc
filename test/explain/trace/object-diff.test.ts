import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { objectDiff } from '../../../src/explain/trace/object-diff.ts';

// Ours: how a change is shown.
const diffs: readonly [fact: string, before: JsonObject, after: JsonObject, lines: readonly string[]][] = [
  ['the same is nothing', { a: { b: [1] } }, { a: { b: [1] } }, []],
  [
    'a value under the fields that hold it',
    { spec: { n: 1, m: 2 } },
    { spec: { n: 3, m: 2 } },
    ['  spec:', '-   n: 1', '+   n: 3'],
  ],
  [
    'a field that came with all that is in it',
    {},
    { metadata: { labels: { a: 'b' } } },
    ['+ metadata:', '+   labels:', '+     a: b'],
  ],
  ['a field that went', { a: 1, b: { c: 2 } }, { a: 1 }, ['- b:', '-   c: 2']],
  [
    'a container put before another is one addition',
    { containers: [{ name: 'web', image: 'a' }] },
    { containers: [{ name: 'proxy' }, { name: 'web', image: 'a' }] },
    ['  containers:', '+ - name: proxy'],
  ],
  [
    'the item of a list goes by its name',
    { spec: { containers: [{ name: 'a' }, { name: 'b', image: '1' }] } },
    { spec: { containers: [{ name: 'b', image: '2' }, { name: 'a' }] } },
    ['  spec:', '    containers:', '    - name: b', '-     image: "1"', '+     image: "2"'],
  ],
  [
    'items without names go by their place',
    { args: ['a', 'b'] },
    { args: ['a', 'c', 'd'] },
    ['  args:', '- - b', '+ - c', '+ - d'],
  ],
  ['a text of several lines', { s: 'a\n' }, { s: 'a\nb\n' }, ['- s: |', '-   a', '+ s: |', '+   a', '+   b']],
  [
    'texts that look like something else are quoted',
    {},
    { s: 'true', t: '1', u: 'a: b', v: '' },
    ['+ s: "true"', '+ t: "1"', '+ u: "a: b"', '+ v: ""'],
  ],
  ['empty ones', { a: {} }, { a: { b: [] } }, ['  a:', '+   b: []']],
  ['managedFields are left out', { metadata: { managedFields: [1] } }, { metadata: { managedFields: [2] } }, []],
];

test.each(diffs)('%s', (_fact, before, after, lines) => {
  expect(objectDiff(before, after).map(({ sign, text }) => `${sign} ${text}`)).toEqual(lines);
});

test('each line has its field', () => {
  const before = { spec: { containers: [{ name: 'a', image: '1' }] } };
  const after = { spec: { containers: [{ name: 'a', image: '2' }] } };
  expect(objectDiff(before, after).at(-1)?.path).toBe('spec.containers[name=a].image');
});
