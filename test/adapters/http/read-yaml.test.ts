import { expect, test } from 'vitest';
import type { JsonDocument } from '../../../src/machinery/json/json.ts';
import { bodyFormats, readYamlBody } from '../../../src/adapters/http/body-formats.ts';
import { recordedRelease } from '../../harness/recorded-release.ts';
import { readLocated } from '../../../src/testing/scenario/read/located.ts';

// Source: sigs.k8s.io/yaml goyaml.v2/resolve.go and decode.go. Requests and scenarios are read alike.
const scalars: readonly [text: string, value: JsonDocument][] = [
  ['yes', true],
  ['off', false],
  ['~', null],
  ['0644', 420],
  ['0o17', 15],
  ['0b11', 3],
  ['|\n b', 'b'],
  ['1_000', 1000],
  ['2020-01-01', '2020-01-01'],
  ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
  ['1:30', '1:30'],
  ['1:30.5', '1:30.5'],
  ['1.5', 1.5],
  ['"yes"', 'yes'],
];

test.each(scalars)('%s', async (text, value) => {
  expect(await readYamlBody(`a: ${text}`)).toMatchObject({ outcome: 'read', value: { a: value } });
  expect(readLocated('a.yaml', `a: ${text}`).documents[0]?.value).toEqual({ a: value });
});

test('a body of more values than anybody means to send is refused before its JSON is written', async () => {
  const keys = (count: number): string => Array.from({ length: count }, (_none, at) => `k${at}: v`).join('\n');
  const { yamlToJson } = bodyFormats(recordedRelease);
  expect(await yamlToJson(keys(1_000))).toMatchObject({ ok: true });
  expect(await yamlToJson(keys(100_001))).toEqual({
    ok: false,
    error: 'kadmit takes at most 100000 values in a body',
  });
});
