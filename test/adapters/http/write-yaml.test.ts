import { expect, test } from 'vitest';
import { JsonNumber, type JsonObject, type JsonValue } from '../../../src/machinery/json/json.ts';
import { readYamlBody } from '../../../src/adapters/http/body-formats.ts';
import { writeYaml } from '../../../src/adapters/http/yaml/write-yaml.ts';

const words = (count: number, word = 'word'): string => Array.from({ length: count }, () => word).join(' ');

// Source: go.yaml.in/yaml/v2 encode_test.go, resolve.go and emitterc.go.
const scalars: readonly [fact: string, value: JsonValue, text: string][] = [
  ['a text', 'hello', 'hello'],
  ['nothing', '', '""'],
  ['null', null, 'null'],
  ['a number', 3, '3'],
  ['a fraction', 0.1, '0.1'],
  ['a large fraction', 1234567.5, '1.2345675e+06'],
  ['a number beyond 2^53', 9007199254740993n, '9007199254740993'],
  ['a text like a number', '3', '"3"'],
  ['like one with underscores', '685_230', '"685_230"'],
  ['like an octal one', '0644', '"0644"'],
  ['like a hexadecimal one', '0xF', '"0xF"'],
  ['like one of base 60', '190:20:30', '"190:20:30"'],
  ['like a fraction', '.5', '".5"'],
  ['like an infinite one', '-.inf', '"-.inf"'],
  ['like one that no double holds', '1e999', '1e999'],
  ['like a word for true', 'yes', '"yes"'],
  ['like another', 'y', '"y"'],
  ['no word at all', 'yES', 'yES'],
  ['like null', '~', '"~"'],
  ['like a date', '2015-01-01', '"2015-01-01"'],
  ['like a moment', '2015-02-24T18:19:39.12Z', '"2015-02-24T18:19:39.12Z"'],
  ['like a moment with a space', '2015-02-24 18:19:39', '"2015-02-24 18:19:39"'],
  ['no day of any month', '2015-02-30', '2015-02-30'],
  ['a moment without a zone', '2015-02-24T18:19:39', '2015-02-24T18:19:39'],
  ['a colon inside', 'a:b', 'a:b'],
  ['a colon before a space', 'a: b', "'a: b'"],
  ['a colon at the end', 'a:', "'a:'"],
  ['a sharp behind a space', 'a #b', "'a #b'"],
  ['a sharp inside', 'a#b', 'a#b'],
  ['a bracket first', '[a', "'[a'"],
  ['a bracket inside', 'a[b', 'a[b'],
  ['a star', '*', "'*'"],
  ['a dash', '-', "'-'"],
  ['a dash before a letter', '-a', '-a'],
  ['a quote inside', "it's", "it's"],
  ['a quote that needs quotes', "it's: ", `'it''s: '`],
  ['a space at the end', 'a ', "'a '"],
  ['a tab', 'a\tb', '"a\\tb"'],
  ['a quote and a tab', '"\t\\', '"\\"\\t\\\\"'],
  ['a character of four bytes', '😀', '"\\U0001F600"'],
  ['letters from elsewhere', 'größe', 'größe'],
  ['a character without a picture', '\u0001', '"\\x01"'],
  ['dots', '...', "'...'"],
  ['a list of nothing', [], '[]'],
  ['a map of nothing', {}, '{}'],
];

test.each(scalars)('%s', (_fact, value, text) => {
  expect(writeYaml({ a: value })).toBe(`a: ${text}\n`);
});

test('a number whose text was kept', () => {
  expect(writeYaml({ a: new JsonNumber('1e3') } as never)).toBe('a: 1000\n');
});

const shared = { x: 1 };

const structures: readonly [fact: string, object: JsonObject, text: string][] = [
  ['a list stands below its field', { a: ['b', { c: 1, d: 2 }] }, 'a:\n- b\n- c: 1\n  d: 2\n'],
  ['values that stand in two places', { a: shared, b: [shared, shared] }, 'a:\n  x: 1\nb:\n- x: 1\n- x: 1\n'],
  ['a field without a value', { a: { b: undefined, c: 1 } }, 'a:\n  c: 1\n'],
  ['a list in a list', { a: [['b', ['c']], []] }, 'a:\n- - b\n  - - c\n- []\n'],
  ['a map in a map', { a: { b: { c: 'd' } }, e: 1 }, 'a:\n  b:\n    c: d\ne: 1\n'],
  ['a list in a map in a list', { a: [{ b: ['c'] }] }, 'a:\n- b:\n  - c\n'],
  ['lines', { a: { b: 'x\ny\n', c: 1 } }, 'a:\n  b: |\n    x\n    y\n  c: 1\n'],
  ['lines without a break at the end', { a: 'x\ny', b: 1 }, 'a: |-\n  x\n  y\nb: 1\n'],
  ['lines with more than one', { a: 'x\n\n', b: 1 }, 'a: |+\n  x\n\nb: 1\n'],
  ['lines that begin with a space', { a: ' x\ny\n', b: 1 }, 'a: |2\n   x\n  y\nb: 1\n'],
  ['a lone line break', { a: '\n', b: 1 }, 'a: |2+\n\nb: 1\n'],
  ['a space before a break', { a: 'x \ny' }, 'a: "x \\ny"\n'],
  ['a space at the end of lines', { a: 'x\ny ' }, 'a: "x\\ny "\n'],
  ['lines in a list', { a: ['x\ny\n', 'z'] }, 'a:\n- |\n  x\n  y\n- z\n'],
  ['keys that are no plain text', { yes: 1, '1': 2, 'a b': 3, 'c: d': 4 }, '"1": 2\na b: 3\n\'c: d\': 4\n"yes": 1\n'],
  ['a key of more than 128 bytes', { ['k'.repeat(129)]: ['a'] }, `? ${'k'.repeat(129)}\n: - a\n`],
  ['a long text is folded behind column 80', { a: words(20) }, `a: ${words(16)}\n  ${words(4)}\n`],
  ['in quotes too', { a: `'${words(20)}` }, `a: '''${words(16)}\n  ${words(4)}'\n`],
  ['and in double ones', { a: `\t${words(20)}` }, `a: "\\t${words(16)}\n  ${words(4)}"\n`],
  ['where spaces begin a line a backslash does', { a: `\t${words(16)}  b` }, `a: "\\t${words(16)}\n  \\ b"\n`],
  ['behind a question mark it is', { [words(30)]: 1 }, `? ${words(16)}\n  ${words(14)}\n: 1\n`],
  ['where two spaces follow each other it is not', { a: `${words(16)}  b` }, `a: ${words(16)}  b\n`],
  ['a long key is not', { [words(20, 'abcd')]: 1 }, `${words(20, 'abcd')}: 1\n`],
];

test.each(structures)('%s', (_fact, object, text) => {
  expect(writeYaml(object)).toBe(text);
});

const pairs: readonly [fact: string, one: string, other: string][] = [
  ['a zero behind a digit counts as part of that number', 'a1', 'a10'],
  ['and behind zeros that follow one', 'a1002', 'a1010'],
  ['but not where all before it are zeros', 'a01', 'a2'],
  ['equal numbers: the shorter text', 'a1', 'a01'],
  ['numbers of more than 64 bits go round', `a${2n ** 64n}`, 'a2'],
  ['of very long ones the last digits alone count', `a1${'0'.repeat(70)}1`, 'a2'],
  ['a digit of another script is as much as its code point', 'a9', 'a\u0661'],
  ['a character of two units is one', '\ud83d\ude00', '\ud83d\ude01'],
  ['and comes behind one of one unit', '\uffee', '\ud83d\ude00'],
  ['a letter comes behind what is none', '\ud83d\ude00', 'a'],
];

// Source: go.yaml.in/yaml/v2 sorter.go, by reading.
test.each(pairs)('%s: %j, then %j', (_fact, one, other) => {
  const printed = (keys: readonly string[]): string => writeYaml(Object.fromEntries(keys.map((key) => [key, {}])));
  expect(printed([other, one])).toBe(printed([one]) + printed([other]));
  expect(printed([one, other])).toBe(printed([one]) + printed([other]));
});

// Source: go.yaml.in/yaml/v2 sorter.go, encode_test.go TestSortedOutput.
test('keys in upstream’s order', () => {
  const keys = ['1', '2', '02', '10', 'a1', 'a02', 'a2', 'a10', 'ab', 'a/', 'A', 'b', '.', 'f:x', 'f:', 'k:{"a":1}'];
  const printed = writeYaml(Object.fromEntries(keys.map((key) => [key, {}])));
  expect(printed.split('\n').map((line) => line.replace(/: \{\}$/, ''))).toEqual([
    '.',
    '"1"',
    '"2"',
    '"02"',
    '"10"',
    'A',
    'a/',
    'a1',
    'a2',
    'a02',
    'a10',
    'ab',
    'b',
    "'f:'",
    'f:x',
    'k:{"a":1}',
    '',
  ]);
});

const texts = [...scalars.map(([, value]) => value), words(40), `x\n${words(30)}`, ' \n', 'a\u0085b', "''", '\r\n'];

test.each(texts.filter((value): value is string => typeof value === 'string' && value !== '1e999'))(
  '%j is read again as it was',
  async (text) => {
    const object = { [text]: text, list: [text, { a: text }] };
    const printed = writeYaml(object);
    expect(await readYamlBody(printed)).toMatchObject({ outcome: 'read', value: object });
  },
);
