import { expect, test } from 'vitest';
import { hasTooManyValues, maxBodyValues } from '../../../src/machinery/json/body-limits.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const facts: readonly [what: string, body: string, isRefused: boolean][] = [
  ['as many as there may be', `[${'1,'.repeat(maxBodyValues - 1)}1]`, false],
  ['one more', `[${'1,'.repeat(maxBodyValues)}1]`, true],
  ['empty objects', ` [${'{},'.repeat(maxBodyValues)}{}]`, true],
  ['keys', `{${'"a":1,'.repeat(maxBodyValues)}"a":1}`, true],
  // Source: limit_test.go of apiextensions-apiserver test/integration: a bad request.
  ['nested lists, which are not read to their end', '['.repeat(maxBodyValues + 1), false],
  ['lists beside each other', `[${'[],'.repeat(maxBodyValues)}[]]`, true],
  ['commas in a text', `{"a":"${','.repeat(2 * maxBodyValues)}"}`, false],
  ['commas in a text, behind an escaped quote', `{"a":"\\"${',['.repeat(maxBodyValues)}\\\\"}`, false],
  ['a text without an end', `{"a":"${',['.repeat(maxBodyValues)}`, false],
  ['what is no JSON', 'a,'.repeat(maxBodyValues), false],
];

test.each(facts)('a body of %s', (_what, body, isRefused) => {
  expect(hasTooManyValues(bytes(body))).toBe(isRefused);
});
