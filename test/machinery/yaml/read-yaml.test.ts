import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument, type Tags } from 'yaml';
import { type JsonDocument, JsonNumber } from '../../../src/machinery/json/json.ts';
import { tooManyValuesText } from '../../../src/machinery/json/body-limits.ts';
import { readYaml, type YamlReading } from '../../../src/machinery/yaml/read-yaml.ts';

const valueOf = (reading: YamlReading): JsonDocument | string =>
  reading.outcome === 'read' ? reading.value : reading.error;

// Source: goyaml.v2 limit_test.go, and decode.go for the last; the depth is ours, upstream's is 10000.
const limits: readonly [fact: string, text: string, error: string][] = [
  ['lists in lists', '['.repeat(100_000), 'yaml: exceeded max depth of 500'],
  ['mappings in mappings', `x: ${'{'.repeat(100_000)}`, 'yaml: exceeded max depth of 500'],
  ['indentation', '- '.repeat(100_000), 'yaml: exceeded max depth of 500'],
  ['aliases of a long list', aliased(10_000), 'yaml: document contains excessive aliasing'],
  ['aliases of aliases', laughs(9), 'yaml: document contains excessive aliasing'],
  ['an alias inside of what it names', 'a: &x [*x]', "yaml: anchor 'x' value contains itself"],
];

test.each(limits)('%s: the limit is met', (_fact, text, error) => {
  expect(readYaml(text)).toEqual({ outcome: 'unreadable', error });
});

// Source: goyaml.v2 limit_test.go: these are fine.
const fine: readonly [fact: string, text: string][] = [
  ['500 levels on each of 20 lines', `${'- '.repeat(500)}\n`.repeat(20)],
  ['500 lists in lists', '['.repeat(500) + ']'.repeat(500)],
  ['a long list with an anchor', `a: &a [{a}${',{a}'.repeat(5_000)}]`],
  ['a few aliases of aliases', laughs(2)],
];

test.each(fine)('%s can be read', (_fact, text) => {
  expect(readYaml(text)).toMatchObject({ outcome: 'read' });
});

// Source: the first two are recorded; the others follow goyaml.v2 scannerc.go, parserc.go, resolve.go and decode.go.
const errors: readonly [text: string, error: string][] = [
  ['plugins: [\n', 'yaml: line 1: did not find expected node content'],
  ['[}', 'yaml: did not find expected node content'],
  ['a: b: c', 'yaml: mapping values are not allowed in this context'],
  ['a: 1\n  b: 2', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a\nb: c', 'yaml: line 2: mapping values are not allowed in this context'],
  ['- a\nb', "yaml: line 3: could not find expected ':'"],
  ['a: 1\n- b', 'yaml: line 1: did not find expected key'],
  ['- a\n b', 'no error'],
  ['\ta: 1', 'yaml: found character that cannot start any token'],
  ['a:\n\t- b', 'yaml: line 2: found character that cannot start any token'],
  ['a: - b', 'yaml: block sequence entries are not allowed in this context'],
  ['  a: 1\n b: 2', 'no error'],
  ['a: b\nc\nd: e', "yaml: line 3: could not find expected ':'"],
  ['a: {b: c [d]}', "yaml: did not find expected ',' or '}'"],
  ['{a: 1', "yaml: line 1: did not find expected ',' or '}'"],
  ['[a b: c d', "yaml: line 1: did not find expected ',' or ']'"],
  ['a: "x', 'yaml: found unexpected end of stream'],
  ['a: "\\q"', 'yaml: found unknown escape character'],
  ['a: "\\ud800"', 'yaml: found invalid Unicode character escape code'],
  ['a: "\\\\ud83d\\ud83d\\ude00"', 'yaml: found invalid Unicode character escape code'],
  ['[a?b]', "yaml: did not find expected ',' or ']'"],
  ['{a?b: c}', "yaml: did not find expected ',' or '}'"],
  ['{a\n  b: c}', "yaml: line 1: did not find expected ',' or '}'"],
  ['{"a"\n: c}', "yaml: line 1: did not find expected ',' or '}'"],
  ['a: &b` c', 'yaml: did not find expected alphabetic or numeric character'],
  [']', 'yaml: did not find expected node content'],
  ['...', 'yaml: did not find expected node content'],
  ['a: |0\n', 'yaml: found an indentation indicator equal to 0'],
  ['a: |x\n', 'yaml: did not find expected comment or line break'],
  ['a: |\n\tb', 'yaml: line 2: found a tab character where an indentation space is expected'],
  ['a: @', 'yaml: found character that cannot start any token'],
  ['a: *b', "yaml: unknown anchor 'b' referenced"],
  ['a: & b', 'yaml: did not find expected alphabetic or numeric character'],
  ['a: !x!y z', 'yaml: found undefined tag handle'],
  ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
  ['a: !!binary x', 'yaml: !!binary value contains invalid base64 data'],
  ['%YAML 1.2\n---\na: 1', 'yaml: found incompatible YAML document'],
  ['<<: [a]', 'yaml: map merge requires map or sequence of maps as the value'],
  ['a: {{ .Values.x }}', 'yaml: invalid map key: map[interface {}]interface {}{".Values.x":interface {}(nil)}'],
  ['~: a', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "a"'],
  ['a: .nan', 'json: unsupported value: NaN'],
  ['a: -.inf', 'json: unsupported value: -Inf'],
  ['a: \u0001', 'yaml: control characters are not allowed'],
];

test.each(errors)('%j: %s', (text, error) => {
  const reading = readYaml(text);
  expect(reading.outcome === 'read' ? 'no error' : reading.error).toBe(error);
});

// Source: goyaml.v2 resolve.go and decode_test.go.
const values: readonly [text: string, value: JsonDocument][] = [
  ['a: [y, No, ON, ~, null]', { a: [true, false, true, null, null] }],
  ['a: [017, 0o17, 08, 0x1F, -0b11, 1_000, -0]', { a: [15, 15, 8, 31, -3, 1000, 0] }],
  ['a: [1e3, +.5, 1., .5]', { a: [1000, 0.5, 1, 0.5] }],
  ['a: [1e999, 1:30, 2001-01-01, 0x, +]', { a: ['1e999', '1:30', '2001-01-01', '0x', '+'] }],
  ['a: 12345678901234567890', { a: new JsonNumber('12345678901234567890') }],
  ['a: 123456789012345678901', { a: 123456789012345680000 }],
  ['a: [!!str 12, !!float 3, !!binary aGk=, !own 4, ! 5]', { a: ['12', 3, 'hi', '4', '5'] }],
  ['1: a\ntrue: b\n1.5: c\n.inf: d', { '1': 'a', true: 'b', '1.5': 'c', '.inf': 'd' }],
  ['__proto__: {a: 1}', JSON.parse('{"__proto__":{"a":1}}')],
  ['a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2', { a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } }],
  ['<<: [{a: 1, b: 1}, {a: 2, c: 2}]\nc: 3', { a: 1, b: 1, c: 3 }],
  ['? a\n: b\n? c', { a: 'b', c: null }],
  ['{a, b: , c: [d: e, f]}', { a: null, b: null, c: [{ d: 'e' }, 'f'] }],
  ['a:\n- b\n- - c\n  - d\n- e: f\n  g: h', { a: ['b', ['c', 'd'], { e: 'f', g: 'h' }] }],
  ["a: 'it''s\n  one\n\n  two'", { a: "it's one\ntwo" }],
  ['a: "b\n  c \\\n  \\u0041\\t\\U0001F600\\\n  d"', { a: 'b c A\t😀d' }],
  ['a: >-\n  x\n  y\n\n   z\n  w\n', { a: 'x y\n\n z\nw' }],
  ['a: |+1\n  x\n\nb: |\n  y\n\n', { a: ' x\n\n', b: 'y\n' }],
  ['a: b # c\n  # d\ne: f#g', { a: 'b', e: 'f#g' }],
  ['a: b\n  c\n\n  d', { a: 'b c\nd' }],
  ['a: http://b:80/?c=d', { a: 'http://b:80/?c=d' }],
  // Source: goyaml.v2 yaml.go: what follows the first document is not read.
  ['---\na: 1\n---\nb: 2', { a: 1 }],
  ['  a: 1\n b: 2', { a: 1 }],
  ['"a" "b"', 'a'],
  ['a: 1\r\nb:\r\n- c\r\n', { a: 1, b: ['c'] }],
  ['\ufeffa: 1', { a: 1 }],
  ['a: [\nb, {c:\n  d}\n]\ne: f', { a: ['b', { c: 'd' }], e: 'f' }],
  ['a:\n  - "b\nc"\n  - \'d\n\n e\'\nf: g', { a: ['b c', 'd\ne'], f: 'g' }],
  ['[a:, b:]', ['a:', 'b:']],
  ['[?a, {? b\n c : d}]', [{ a: null }, { 'b c': 'd' }]],
  ['a: "b"#c', { a: 'b' }],
  ['a: |\n  b', { a: 'b' }],
  ['a:\n- >\n  b\n  c', { a: ['b c'] }],
  ['a: |\n  b\n ', { a: 'b\n' }],
  [
    '{"a": 1.0, "b": -0, "c": 1e2, "d": 9007199254740993}',
    { a: 1, b: 0, c: 100, d: new JsonNumber('9007199254740993') },
  ],
  ['{"a": 1e400}', { a: '1e400' }],
  ['---\n{"a": 1.0}', { a: 1 }],
  ['# nothing', null],
  ['', null],
];

test.each(values)('%j', (text, value) => {
  expect(valueOf(readYaml(text))).toEqual(value);
});

// Source: goyaml.v2 decode.go setMapIndex; the line is the value's.
const repeated: readonly [text: string, complaints: readonly string[]][] = [
  ['a: 1\na:\n  2', ['line 3: key "a" already set in map']],
  ['1: a\n"1": b\n1: c', ['line 3: key 1 already set in map']],
  ['b:\n  a: 1\n  a: 2\nb: 3', ['line 3: key "a" already set in map', 'line 4: key "b" already set in map']],
  ['x: &x {a: 1}\ny:\n  <<: *x\n  a: 2', ['line 4: key "a" already set in map']],
];

test.each(repeated)('%j repeats a key', (text, duplicates) => {
  expect(readYaml(text)).toMatchObject({ outcome: 'read', duplicates });
});

test('what another parser makes of the scenarios is the same', () => {
  const files = readdirSync('scenarios', { recursive: true, encoding: 'utf8' }).filter((file) => /\.ya?ml$/.test(file));
  const texts = files.flatMap((file) => readFileSync(join('scenarios', file), 'utf8').split(/^---$/m));
  expect(texts.length).toBeGreaterThan(50);
  for (const text of texts) {
    const other: unknown = parseDocument(text, { version: '1.1', customTags: withoutTimes }).toJS();
    expect(valueOf(readYaml(text))).toEqual(other);
  }
});

/** Dates and numbers of base 60 are texts to Go. */
const withoutTimes = (tags: Tags): Tags =>
  tags.filter(
    (tag) =>
      typeof tag === 'string' || (!tag.tag.endsWith(':timestamp') && !('format' in tag && tag.format === 'TIME')),
  );

function aliased(length: number): string {
  return `{a: &a [{a}${',{a}'.repeat(length - 100)}], b: &b [*a${',*a'.repeat(99)}]}`;
}

function laughs(depth: number): string {
  const level = (index: number): string =>
    `a${index}: &a${index} [${Array(9)
      .fill(`*a${index - 1}`)
      .join(', ')}]\n`;
  return `a0: &a0 [${Array(9).fill('x').join(', ')}]\n${Array.from({ length: depth }, (_none, index) => level(index + 1)).join('')}`;
}

test.each([
  ['on one line', (parts: number) => 'b\\n'.repeat(parts), (parts: number) => 'b\n'.repeat(parts)],
  ['on many lines', (parts: number) => 'b\n'.repeat(parts), (parts: number) => 'b '.repeat(parts)],
])('a text in quotes that has very many parts, %s, is whole', (_where, written, read) => {
  for (const parts of [4_999, 5_000, 5_001, 30_000])
    expect(readYaml(`"${written(parts)}"`)).toMatchObject({ outcome: 'read', value: read(parts) });
});

// Counted as its JSON would be: a member each, an empty list or map one, and what an alias stands for each time.
test.each([
  ['a: 1', 2],
  ['[a, {}, {b: [c]}]', 6],
  ['x: &x [a, b]\ny: *x', 7],
  ['{"a": [1, {}, ""]}', 5],
])('%j has %d values', (text, values) => {
  expect(readYaml(text, values)).toMatchObject({ outcome: 'read' });
  expect(readYaml(text, values - 1)).toEqual({ outcome: 'unreadable', error: tooManyValuesText });
});

const size = 1024 * 1024;

// One text many times: refused before it becomes a document.
test.each([
  ['- ', 'yaml: exceeded max depth of 500'],
  ['[', 'yaml: exceeded max depth of 500'],
  ['{a: ', 'yaml: exceeded max depth of 500'],
  ['? ', 'yaml: exceeded max depth of 500'],
  ['&a ', tooManyValuesText],
  ['!a ', tooManyValuesText],
  ['- a\n', tooManyValuesText],
  ['""', tooManyValuesText],
])('%j, 1 MiB of it', (text, error) => {
  expect(readYaml(text.repeat(size / text.length), 100_000)).toEqual({ outcome: 'unreadable', error });
});
