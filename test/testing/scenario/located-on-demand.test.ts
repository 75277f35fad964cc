import { expect, test } from 'vitest';
import { readLocated } from '../../../src/testing/scenario/read/located.ts';
import type { Located } from '../../../src/testing/scenario/read/located.ts';
import { readLocatedOnDemand } from '../../../src/testing/scenario/read/located-on-demand.ts';

const spots = (at: Located): readonly unknown[] => [
  { value: at.value, path: at.path, place: at.place, keyPlace: at.keyPlace },
  ...at.entries().flatMap(([name, field]) => [name, ...spots(field)]),
  ...at.items().flatMap(spots),
];

// What the one says, who reads all places at once, the other says too: documents, values, places, faults.
test.each([
  ['block', 'a:\n  b: 1\n  c: [x, "y"]\nd: |\n  text\n  --- no mark\n'],
  ['three, one of them empty', '# one\na: 1\n---\n# nothing\n---\n  b:\n  - c: 2\n    d: ~\n'],
  ['a document on the line of its mark', '--- {a: 1}\n--- b\n---\nc: 3'],
  ['JSON', '{"a":{"b":[1,{"c":"d"}]}}\n---\n{\n  "e": true\n}\n'],
  ['with Windows line ends', 'a: 1\r\n---\r\nb:\r\n  c: 2\r\n'],
  ['anchors', 'a: &x {b: 1}\nc: *x\n---\nd: 1\n'],
  ['merged keys', 'a: &x {b: 1}\nc:\n  <<: *x\n  e: 2\n'],
  ['an end of a document', 'a: 1\n...\n---\nb: 2\n'],
  ['conditions that look like tags', 'a: |\n  !has(b)\n  && c\nd: 1\n'],
  ['large numbers', '{"a":9007199254740993}\n---\nb: 9007199254740993\n'],
  ['a key twice', 'a: 1\n---\nb: 1\nb: 2\n'],
  ['a key twice in JSON', '{"a":1,"a":2}'],
  ['more behind the first value', '{"a":1} {"b":2}\n'],
  ['a second colon', 'ok: 1\n---\na: b: c\n'],
  ['a tab', 'a:\n\tb: 1\n'],
  ['an open quote', 'a: "b\n---\nc: 1\n'],
  ['too deep', `ok: 1\n---\na: ${'['.repeat(250)}${']'.repeat(250)}\n`],
  ['deep', `a: ${'['.repeat(150)}1${']'.repeat(150)}\n`],
  ['nothing', ''],
])('%s', (_what, text) => {
  const all = readLocated('a.yaml', text);
  const asked = readLocatedOnDemand('a.yaml', text);
  expect(asked.problems).toEqual(all.problems);
  expect(asked.documents.map(spots)).toEqual(all.documents.map(spots));
});

// Source: goyaml.v2 resolve.go, which kubectl reads manifests with: these are no numbers for the other reader, or another number.
test('values are what kubectl would send', () => {
  const [document] = readLocatedOnDemand('a.yaml', 'a: 0o17\nb: 0b11\n').documents;
  expect(document?.value).toEqual({ a: 15, b: 3 });
});
