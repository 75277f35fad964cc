import { expect, test } from 'vitest';
import { compileCondition, evaluateWithin } from '../../src/cel/index.ts';

/** The complaint of the compiler, after the place, or of the evaluation. */
function complaintOf(expression: string): string {
  const compilation = compileCondition(expression, { stored: false });
  if (compilation.outcome === 'failed') {
    return compilation.error.replace(/^compilation failed: ERROR: <input>:/, '').split('\n')[0] ?? '';
  }
  const within = evaluateWithin({ remaining: 1_000_000 }, compilation.compiled, () => undefined);
  const evaluation = within.outcome === 'evaluated' ? within.evaluation : undefined;
  return evaluation?.outcome === 'error' ? evaluation.error : 'no error';
}

// Source: cel-go ext/formatting.go stringFormatValidator: the call's place is its bracket, an argument has its own.
test.each([
  ['too few arguments', "'%s %d'.format(['x']) == ''", '1:15: index 1 out of range'],
  ['too many', "'%s'.format(['x', 2]) == ''", '1:12: too many arguments supplied to string.format (expected 1, got 2)'],
  [
    'an unknown clause',
    "'%y'.format(['x']) == ''",
    '1:12: could not parse formatting clause: unrecognized formatting clause "y"',
  ],
  ['an end too soon', "'a %'.format(['x']) == ''", '1:13: unexpected end of string'],
  [
    'a precision without an end',
    "'%.3'.format([1.0]) == ''",
    '1:13: could not parse formatting clause: error while parsing precision: could not find end of precision specifier',
  ],
  [
    'a precision of nothing',
    "'%.f'.format([1.0]) == ''",
    '1:13: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
  ],
  [
    'the first of two',
    "'%d %y'.format(['x', 1]) == ''",
    '1:17: error during formatting: decimal clause can only be used on integers, was given string',
  ],
  ['no argument for an unknown clause', "'%y'.format([]) == ''", '1:12: index 0 out of range'],
])('format: %s', (_fact, expression, complaint) => {
  expect(complaintOf(expression)).toBe(complaint);
});

// Source: cel-go common/types/overflow.go: a duration is an int of nanoseconds.
test.each([
  ["duration('9223372036s') + duration('9223372036s') == duration('1s')", 'integer overflow'],
  ["duration('-9223372036s') - duration('9223372036s') == duration('1s')", 'integer overflow'],
  ["timestamp('9999-01-01T00:00:00Z') - timestamp('0001-01-01T00:00:00Z') == duration('1s')", 'integer overflow'],
  ["timestamp('9999-12-31T23:59:59Z') + duration('1s') == timestamp('0001-01-01T00:00:00Z')", 'timestamp overflow'],
])('%s', (expression, complaint) => {
  expect(complaintOf(expression)).toBe(complaint);
});
