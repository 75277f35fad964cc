import { expect, test } from 'vitest';
import {
  compileCondition,
  type Compiled,
  evaluate,
  type CelEvaluation,
  toJsonPatchOperations,
} from '../../src/cel/index.ts';
import { Box, type Value } from '../../src/cel/value/value.ts';

// Calls on texts and lists of a megabyte.

const emoji = 'a\u{1f600}'.repeat(3_000);
const word = 'abc '.repeat(6_000);
const csv = 'a,b,'.repeat(6_000);
const periodic = `${'a'.repeat(9_000)}b`;
const object = {
  zeros: '0'.repeat(9_000),
  emoji,
  word,
  csv,
  periodic,
  marked: `${emoji}x${emoji}`,
  part: `b${'a'.repeat(300)}`,
  needle: `${'a'.repeat(300)}b`,
  quotes: '"\n\u{1f600}'.repeat(3_000),
  list: Array.from({ length: 5_000 }, (_none, at) => ({ name: `n${at}` })),
  copy: Array.from({ length: 5_000 }, (_none, at) => ({ name: `n${at}` })),
  wide: Object.fromEntries(Array.from({ length: 5_000 }, (_none, at) => [`f${at}`, at])),
  numbers: Array.from({ length: 20_000 }, (_none, at) => at % 7),
};

function compiledOf(text: string): Compiled {
  const compilation = compileCondition(text, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  return compilation.compiled;
}

const patch = (value: Value): Value => new Box('struct', { name: 'JSONPatch', fields: new Map([['value', value]]) });

const run = (compiled: Compiled): CelEvaluation => evaluate(compiled, () => object, { costLimit: 1_000_000 });

const facts: readonly [expression: string, expected: boolean][] = [
  ['size(object.emoji) == 6000', true],
  ['object.emoji.charAt(5999) == "\u{1f600}" && object.emoji.charAt(6000) == ""', true],
  ['object.emoji.substring(1, 3) == "\u{1f600}a" && object.emoji.substring(5999) == "\u{1f600}"', true],
  ['object.marked.indexOf("x") == 6000 && object.marked.lastIndexOf("x") == 6000', true],
  ['object.marked.indexOf("a", 5999) == 6001 && object.marked.lastIndexOf("a", 6000) == 5998', true],
  ['object.periodic.indexOf(object.needle) == 8700 && object.periodic.lastIndexOf(object.needle) == 8700', true],
  ['object.periodic.indexOf(object.part) == -1 && object.periodic.lastIndexOf(object.part) == -1', true],
  ['object.emoji.split("").size() == 6000 && object.emoji.split("")[1] == "\u{1f600}"', true],
  ['object.csv.split(",").size() == 12001 && object.csv.split(",", 3)[2].size() == 23996', true],
  ['object.csv.split(",").join(";") == object.csv.replace(",", ";")', true],
  ['object.csv.replace(",", "", 2).size() == 23998 && object.csv.replace("a,b,", "").size() == 0', true],
  [
    'object.emoji.replace("", "-").size() == 12001 && object.emoji.replace("", "-", 2).startsWith("-a-\u{1f600}a")',
    true,
  ],
  ['object.word.upperAscii() == object.word.replace("abc", "ABC")', true],
  ['object.emoji.upperAscii() == object.emoji.replace("a", "A")', true],
  ['(" \\t" + object.word + "\u00a0\u2003").trim() + " " == object.word', true],
  ['object.word < object.word + "a" && object.emoji + "\uffff" < object.emoji + "\u{1f600}"', true],
  ['"%s-%s".format([object.word, object.emoji]).size() == 30001', true],
  ['"%x".format([object.word]).startsWith("61626320616263")', true],
  ['strings.quote(object.quotes).startsWith("\\"\\\\\\"\\\\n\u{1f600}")', true],
  ['object.word.replace("abc", "%s").format(object.numbers) == ""', false],
  ['"%s".format([object.list]).startsWith("[{\\"name\\":\\"n0\\"}, {\\"name\\":")', true],
  ['object.list == object.copy && object.copy[4999] in object.list && !({"name": "x"} in object.list)', true],
  ['object.numbers.max() == 6 && object.numbers.min() == 0 && object.numbers.sum() == 59997', true],
  ['object.numbers.isSorted()', false],
  ['[dyn([object.numbers]), dyn([dyn([dyn(1), dyn([2])])])].flatten(5).size() == 20002', true],
  ['object.numbers.map(n, [n]).flatten() == object.numbers', true],
  ['duration(object.word.replace("abc ", "1s")) == duration("6000s")', true],
  ['duration("0." + object.zeros + "1s") == duration("0s")', true],
  ['duration(object.zeros + "1s") == duration("1s")', true],
  ['url("http://a/" + object.emoji).getEscapedPath().endsWith("a%F0%9F%98%80")', true],
  ['isIP(object.word.replace("abc ", "1."))', false],
  [
    'url("http://a/?" + object.word.replace("abc ", "a=%41&")).getQuery() == {"a": object.word.split(" ").slice(0, 6000).map(w, "A")}',
    true,
  ],
  ['semver("1.2.3-" + object.word.replace(" ", ".") + "a+" + object.csv.replace(",", ".") + "b").patch() == 3', true],
  [
    'isSemver("1.2.3-" + object.word.replace(" ", ".") + "01", true) || isSemver("1.2.3+" + object.csv.replace(",", "."))',
    false,
  ],
  [
    'semver("1.2.3-" + object.word.replace(" ", ".") + "a").compareTo(semver("1.2.3-" + object.word.replace(" ", ".") + "9")) == 1',
    true,
  ],
  [
    'object.wide == object.wide.transformMap(k, v, v) && object.wide.all(k, k != "") && object.wide.all(k, v, v >= 0)',
    true,
  ],
  ['"%s".format([object.wide]).startsWith("{\\"f0\\":0, \\"f1\\":1, \\"f10\\":10, ")', true],
  [
    '[1].transformMapEntry(i, x, object.wide) == object.wide && object.wide.transformList(k, v, v).size() == 5000',
    true,
  ],
  ['lists.range(20000).map(x, x).sum() == 199990000 && lists.range(20000).transformList(i, x, i - x).sum() == 0', true],
];

test.each(facts)('%s: %s', (expression, expected) => {
  const compiled = compiledOf(expression);
  expect(run(compiled)).toMatchObject({ outcome: 'value', value: expected });
});

test('what a mutation says again is written in whole', () => {
  expect(toJsonPatchOperations([patch(object.wide), patch(object.numbers)])).toMatchObject({
    outcome: 'value',
    value: [{ value: object.wide }, { value: object.numbers }],
  });
});
