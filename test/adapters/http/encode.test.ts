import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/machinery/json/json.ts';
import { writeJsonForGo } from '../../../src/machinery/json/json-writer.ts';
import { encodeBody, encodeListInParts, indentJson } from '../../../src/adapters/http/encode.ts';
import { writeYaml } from '../../../src/adapters/http/yaml/write-yaml.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';

const message = (text: string): JsonObject => ({ kind: 'Status', message: text });
const long = 256 * 1024;

const rows: readonly [what: string, value: JsonObject][] = [
  ['a short one', message('<a>')],
  ['one that is just not long', message('&'.repeat(long - 100))],
  ['one that is long', message('&'.repeat(long))],
  ['characters of two units at every place', message(`${'\u{1f600}'.repeat(long)}`)],
  ['the same, shifted by one', message(`a${'\u{1f600}'.repeat(long)}`)],
  ['line separators', message('\u2028<é'.repeat(long))],
];

test.each(rows)('%s is the same text', async (_what, value) => {
  const options = { mediaType: 'application/json', isPretty: false } as const;
  const encoded = await encodeBody(value, options, recordedRelease);
  if (!encoded.ok) throw new Error('refused');
  expect(String(encoded.value) === `${writeJsonForGo(value)}\n`).toBe(true);
});

test('YAML of a long text full of characters of two units', async () => {
  const value = message('\u{1f600}<'.repeat(long));
  const encoded = await encodeBody(value, { mediaType: 'application/yaml', isPretty: false }, recordedRelease);
  expect(encoded.ok && String(encoded.value) === `kind: Status\nmessage: "${'\\U0001F600<'.repeat(long)}"\n`).toBe(
    true,
  );
});

const many = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_, at) => item(at));
const wide = (value: (at: number) => JsonValue): JsonObject => ({
  kind: 'Status',
  spec: Object.fromEntries(many(3_000, (at) => [`f${at % 7}-${at}`, value(at)])),
});

const large: readonly [what: string, value: JsonObject][] = [
  ['fields', wide(() => 'a')],
  ['maps', wide((at) => ({ b: at, a: [], c: {} }))],
  ['numbers', { kind: 'Status', list: many(9_000, (at) => at / 2) }],
  ['maps in lists', { kind: 'Status', list: many(2_000, (at) => ({ x: [at, { y: `${at}: z` }] })) }],
  ['lists in lists', { kind: 'Status', list: many(6_000, (at) => [[at], []]) }],
  ['fields and a long text', { ...wide(() => 'a'), 'a text': { in: [`${'word \u{1f600} '.repeat(9_000)}`] }, z: 1 }],
  ['fields and long lines', { ...wide(() => 'a'), lines: 'a line\n'.repeat(9_000), z: 1 }],
];

test.each(
  large.flatMap(([what, value]): [string, JsonObject, 'application/yaml' | 'application/json', string][] => [
    [what, value, 'application/yaml', writeYaml(value)],
    [what, value, 'application/json', indentJson(writeJsonForGo(value))],
  ]),
)('thousands of %s', async (_what, value, mediaType, text) => {
  const encoded = await encodeBody(value, { mediaType, isPretty: true }, recordedRelease);
  if (!encoded.ok) throw new Error('refused');
  expect(String(encoded.value) === text).toBe(true);
});

// Source: apimachinery pkg/runtime/serializer/json/collections.go, which writes the same bytes as the buffered encoder.
test.each([0, 1, 100, 101, 250])('a list of %i items in parts is the same text', (count) => {
  const metadata = { resourceVersion: '1', continue: '"items":[]}' };
  const items = many(count, (at) => ({ '<': at }));
  for (const list of [
    { kind: 'List', apiVersion: 'v1', metadata, items },
    { items, kind: 'List' },
    { a: 1, items, b: 2 },
  ]) {
    expect(Buffer.concat([...encodeListInParts(list)]).toString()).toBe(`${writeJsonForGo(list)}\n`);
  }
});
