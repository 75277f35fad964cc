import { expect, test } from 'vitest';
import { type Located, readLocated } from '../../../src/testing/scenario/read/located.ts';

const placesOf = ({ path, place, entries, items }: Located): readonly string[] => [
  `${path}@${place.line}:${place.column}`,
  ...entries().flatMap(([, field]) => placesOf(field)),
  ...items().flatMap(placesOf),
];

const read = (text: string): readonly string[] => {
  const { documents, problems } = readLocated('a.yaml', text);
  return [...documents.flatMap(placesOf), ...problems.map(({ place, message }) => `${place.line}: ${message}`)];
};

// A path and where its value stands; or what is wrong in a line.
const rows: readonly [what: string, text: string, found: readonly string[]][] = [
  ['a mapping', 'a:\n  b: 1\n  c: [x]\n', ['@1:1', 'a@2:3', 'a.b@2:6', 'a.c@3:6', 'a.c[0]@3:7']],
  ['two documents and an empty one', 'a: 1\n---\n# none\n---\nb: 2\n', ['@1:1', 'a@1:4', '@5:1', 'b@5:4']],
  ['JSON', '{"a":\n{"b":1}}', ['@1:1', 'a@2:1', 'a.b@2:6']],
  ['Windows line ends', 'a: 1\r\nb: 2\r\n', ['@1:1', 'a@1:4', 'b@2:4']],
  ['keys that are no texts', 'yes: 1\n1.50: 2\n', ['@1:1', 'true@1:6', '["1.5"]@2:7']],
  ['an alias', 'a: &x {b: 1}\nc: *x\n', ['@1:1', 'a@1:7', 'a.b@1:11', 'c@2:4', 'c.b@1:11']],
  ['merged fields', 'a: &x {b: 1}\nc:\n  <<: *x\n', ['@1:1', 'a@1:7', 'a.b@1:11', 'c@3:3', 'c.b@3:3']],
  ['brackets whose lines are not indented', 'a: [\nb]\nc: d\n', ['@1:1', 'a@1:4', 'a[0]@2:1', 'c@3:4']],
  ['an unknown anchor', 'a: *b\n', ["1: unknown anchor 'b' referenced"]],
  ['a key twice', 'a: 1\na: 2\n', ['2: this key is there already']],
  ['a number that JSON cannot say', 'a: .nan\n', ['1: json: unsupported value: NaN']],
  ['too deep', `a: ${'['.repeat(250)}`, ['1: it is nested deeper than 200 levels']],
  ['nothing', '', []],
];

test.each(rows)('%s', (_what, text, found) => {
  expect(read(text)).toEqual(found);
});
