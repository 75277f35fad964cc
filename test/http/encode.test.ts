import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/apimachinery/json.ts';
import { writeJsonForGo } from '../../src/apimachinery/json-writer.ts';
import { encodeBody } from '../../src/http/encode.ts';
import { indentJson } from '../../src/http/indent-json.ts';
import { writeYaml } from '../../src/http/yaml/write-yaml.ts';
import type { Encoded } from '../../src/http/encode.ts';
import { currentRelease } from '../../src/schema/release/current-release.ts';

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

const textOf = (value: Encoded): string =>
  typeof value === 'string' ? value : Buffer.concat([value].flat()).toString();

test.each(rows)('%s is the same text', async (_what, value) => {
  const options = { mediaType: 'application/json', isPretty: false } as const;
  const encoded = await encodeBody(value, options, currentRelease);
  if (!encoded.ok) throw new Error('refused');
  expect(textOf(encoded.value) === `${writeJsonForGo(value)}\n`).toBe(true);
});

test('a long text goes in pieces of bounded length', async () => {
  const options = { mediaType: 'application/json', isPretty: false } as const;
  const encoded = await encodeBody(message('&'.repeat(3_000_000)), options, currentRelease);
  const pieces = encoded.ok ? [encoded.value].flat() : [];
  expect(pieces.length).toBeGreaterThan(40);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(6 * 64 * 1024);
});

test('YAML of a long text full of characters of two units lets others in, and is the same', async () => {
  const value = message('\u{1f600}<'.repeat(long));
  let [now, asked] = [0, 0];
  const pause = Object.assign((): undefined => void (asked += 1), { now: () => (now += 100) });
  const encoded = await encodeBody(value, { mediaType: 'application/yaml', isPretty: false, pause }, currentRelease);
  expect(encoded.ok && textOf(encoded.value) === `kind: Status\nmessage: "${'\\U0001F600<'.repeat(long)}"\n`).toBe(
    true,
  );
  expect(asked).toBeGreaterThan((3 * long) / (16 * 1024));
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

// What is left because it is time, and begun again, is the same text.
test.each(
  large.flatMap(([what, value]): [string, JsonObject, 'application/yaml' | 'application/json', string][] => [
    [what, value, 'application/yaml', writeYaml(value)],
    [what, value, 'application/json', indentJson(writeJsonForGo(value))],
  ]),
)('thousands of %s let others in, and are the same', async (_what, value, mediaType, text) => {
  let [now, asked] = [0, 0];
  const pause = Object.assign((): undefined => void (asked += 1), { now: () => (now += 100) });
  const encoded = await encodeBody(value, { mediaType, isPretty: true, pause }, currentRelease);
  if (!encoded.ok) throw new Error('refused');
  const pieces = [encoded.value].flat().map((piece) => Buffer.from(piece));
  expect(Buffer.concat(pieces).toString() === text).toBe(true);
  expect(asked).toBeGreaterThan(1);
});
