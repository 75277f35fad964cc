import { expect, test } from 'vitest';
import { compileCondition, evaluate } from '../../src/cel/index.ts';
import { allMatches, compileRegex, isMatch } from '../../src/cel/run/regex.ts';
import { CelError } from '../../src/cel/value/value.ts';

const object = {
  word: 'abc '.repeat(2_000),
  emoji: 'a\u{1f600}'.repeat(1_000),
  dashes: `${'a-'.repeat(50_000)}!`,
  letters: 'a'.repeat(1_000_000),
};

function valueOf(expression: string): unknown {
  const compilation = compileCondition(expression, { stored: true });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  const evaluation = evaluate(compilation.compiled, () => object, { costLimit: 10_000_000 });
  return evaluation.outcome === 'value' ? evaluation.value : evaluation;
}

// Source: apiserver pkg/cel/library/regex.go, go src/regexp/regexp.go allMatches.
const facts: readonly [expression: string, expected: boolean][] = [
  ['object.word.findAll("[a-c]+").size() == 2000 && object.word.find("c .*") == object.word.substring(2)', true],
  ['object.emoji.findAll("a*").size() == 1001 && object.emoji.findAll(".", 5).size() == 5', true],
  ['object.word.matches("(a|ab)(c|bcd)? \\\\b$") || object.word.matches("(?i)C $")', true],
  ['object.word.matches("[xyz]{2,30}")', false],
  ['object.letters.matches("^[a-z]+$") && !object.letters.matches("^[a-z]+[0-9]$")', true],
  ['object.letters.matches("^(([a-z])+.)+[0-9]$")', false],
  ['object.dashes.matches("^([a-z]+-?)+$")', false],
  ['"".findAll("a*") == [""] && "baa".findAll("a*") == ["", "aa"] && "b".findAll("a*", 0) == []', true],
];

test.each(facts)('%s is %j', (expression, expected) => {
  expect(valueOf(expression)).toBe(expected);
});

const tooLong = new CelError('the text is too long to be searched for this regular expression');

/** What `find` does with a text of so many letters. */
const matchesOf = (pattern: string, length: number, limit: number): unknown => {
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? regex : allMatches(regex, 'a'.repeat(length), limit);
};

const testOf = (pattern: string, length: number): unknown => {
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? regex : isMatch(regex, 'a'.repeat(length));
};

// The cost of an expression does not see how large the program of a pattern is, nor how often a text is searched again.
test('a text is too long by the instructions of the pattern', () => {
  expect(testOf('^a{1000}$', 1_000_000)).toEqual(tooLong);
  expect(testOf('^a{1000}$', 1_000)).toBe(true);
  expect(matchesOf('a{1000}', 1_000_000, 1)).toEqual(tooLong);
});

test('all matches are too many when each may read the text to its end', () => {
  expect(matchesOf('a{0,999}b|a', 20_000, Infinity)).toEqual(tooLong);
  expect(matchesOf('a*b|a', 1_000, Infinity)).toHaveLength(1_000);
});
