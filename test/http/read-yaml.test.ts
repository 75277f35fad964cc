import { expect, test } from 'vitest';
import type { JsonDocument } from '../../src/apimachinery/json.ts';
import { readYaml } from '../../src/http/body-formats.ts';
import { readLocated } from '../../src/scenario/read/located.ts';

// Source: sigs.k8s.io/yaml goyaml.v2/resolve.go and decode.go. Requests and scenarios are read alike.
const scalars: readonly [text: string, value: JsonDocument][] = [
  ['yes', true],
  ['off', false],
  ['~', null],
  ['0644', 420],
  ['1_000', 1000],
  ['2020-01-01', '2020-01-01'],
  ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
  ['1:30', '1:30'],
  ['1:30.5', '1:30.5'],
  ['1.5', 1.5],
  ['"yes"', 'yes'],
];

test.each(scalars)('%s', async (text, value) => {
  expect(await readYaml(`a: ${text}`)).toMatchObject({ outcome: 'read', value: { a: value } });
  expect(readLocated('a.yaml', `a: ${text}`).documents[0]?.value).toEqual({ a: value });
});
