import { expect, test } from 'vitest';
import { plainJson } from '../../../src/machinery/json/plain-json.ts';

/** Longer than a piece. */
const long = 'x'.repeat(40_000);
const many = Array.from({ length: 9_000 }, (_none, at) => at);
const fields = Object.fromEntries(many.map((at) => [`key-${at}`, at]));

const documents: readonly [fact: string, text: string][] = [
  ['a long text', JSON.stringify(long)],
  ['a long list', JSON.stringify(many)],
  ['a long object', JSON.stringify(fields)],
  ['a long list with space', ` ${JSON.stringify(many, null, 2)}\n`],
  ['a long object with space', `\t${JSON.stringify(fields, null, 2)}\r\n`],
  ['long ones in a list', JSON.stringify([many, fields, [many], { fields }, 1])],
  ['long ones in an object', JSON.stringify({ a: many, b: fields, c: { d: [many], e: [] }, f: {} })],
  ['small ones between long ones', JSON.stringify({ a: 1, many, b: [2], fields, c: { d: 3 }, e: 'f' })],
  ['small ones only', JSON.stringify(many.map((at) => ({ at, of: [at, {}], none: null })))],
  ['a long one deep inside', JSON.stringify({ a: [{ b: [[{ c: [0, { d: fields, e: many }, 1] }]] }] })],
  ['long texts with brackets and commas', JSON.stringify([`[{${long},"}`, { [`,"]${long}`]: `}${long}` }])],
  [
    'a name that objects have',
    `{"a":${JSON.stringify(many)},"__proto__":${JSON.stringify(fields)},"b":{"__proto__":1}}`,
  ],
  ['nothing in what is long', JSON.stringify([many.map(() => []), many.map(() => ({}))])],
];

test.each(documents)('what is read in pieces is what JSON.parse reads: %s', (_fact, text) => {
  const value = plainJson(text);
  expect(JSON.stringify(value) === JSON.stringify(JSON.parse(text))).toBe(true); // Not shown: it is long.
  expect(Object.getPrototypeOf(Object(value))).toBe(Object.getPrototypeOf(Object(JSON.parse(text))));
});

const list = JSON.stringify(many);
const object = JSON.stringify(fields);

// JSON.parse refuses each, or loses something.
const others: readonly [fact: string, text: string][] = [
  ['a repeated key', `{"key-0":1,${object.slice(1)}`],
  ['a repeated key far away', `${object.slice(0, -1)},"key-0":1}`],
  ['a repeated key whose value is long', `{"a":${list},"b":2,"a":${list}}`],
  ['a repeated key inside', `{"a":{"b":1,"b":2},"c":${list}}`],
  ['a comma too many at the end of a list', `${list.slice(0, -1)},]`],
  ['a comma too many at the end of an object', `${object.slice(0, -1)},}`],
  ['a comma too many in the middle', `[${list},,1]`],
  ['a comma too many at the beginning', `[,${list}]`],
  ['nothing but space before a comma', `[${' '.repeat(40_000)},1]`],
  ['a comma too few', `[${list}${list}]`],
  ['a comma too few before a number', `[${list} 1]`],
  ['something before a bracket in a list', `[1${list}]`],
  ['something before a bracket in an object', `{"a":1${list}}`],
  ['a minus before a bracket', `{"a":-${list}}`],
  ['no key', `{${list}}`],
  ['a key in a list', `["a":${list}]`],
  ['a key without a colon', `{"a"${list}}`],
  ['the wrong bracket at the end of a list', `[${list.slice(0, -1)}}]`],
  ['the wrong bracket at the end of an object', `[${object.slice(0, -1)}]]`],
  ['a bracket too many', `${list}]`],
  ['a bracket too few', `[${list}`],
  ['something before it', `a${list}`],
  ['something after it', `${list}a`],
  ['a second one after it', `${list}${list}`],
  ['a second one after a comma', `${list},${list}`],
  ['a word that is none', `[${list},tru]`],
  ['a text without an end', `[${list},"a]`],
  ['a line break in a text', `["${long}\n"]`],
  ['a number that JavaScript prints otherwise', `[${list},1.0]`],
  ['a lone surrogate', `[${list},"\\ud800"]`],
  ['too deep', `${'['.repeat(501)}${list}${']'.repeat(501)}`],
];

test.each(others)('%s is no plain text', (_fact, text) => {
  expect(plainJson(text)).toBeUndefined();
});
