import { expect, test } from 'vitest';
import { compileCondition, evaluateWithin } from '../../src/cel/index.ts';

const text =
  'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';
const failed = 'network address parse error during conversion from string';

/** The error of the compiler, after the place, or of the evaluation. */
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

// Source: what kube-apiserver v1.36.2 answers; cel-go ext/formatting.go, which is that of version 2 of the library.
test.each([
  ["'%s'.format([optional.of(1)]) == ''", `1:25: error during formatting: ${text}, was given optional_type`],
  ["'%s'.format([[optional.of(1)]]) == ''", `1:26: error during formatting: ${text}, was given optional_type`],
  [
    "'%d'.format([1.5]) == ''",
    '1:14: error during formatting: decimal clause can only be used on integers, was given double',
  ],
  [
    "'%f'.format([1]) == ''",
    '1:14: error during formatting: fixed-point clause can only be used on doubles, was given int',
  ],
  [
    "'%f'.format(['x']) == ''",
    'error during formatting: fixed-point clause can only be used on doubles, was given string',
  ],
  ["'%s'.format([{1.5: 1}]) == ''", 'error during formatting: no formatting function for map key of type double'],
  ["'%s'.format([[dyn(ip('::1'))]]) == ''", 'error during formatting: no formatting function for net.IP'],
  [
    "'%s'.format([b'\\xff']) == ''",
    'error during formatting: could not convert argument "invalid UTF-8 in bytes, cannot convert to string" to string',
  ],
  ["duration(5) == duration('5s')", '1:10: invalid duration argument'],
  ["'a'.matches('(')", '1:13: invalid matches argument'],
  ["matches('(', 'a')", '1:9: invalid matches argument'],
  ["matches('a', '(')", 'program instantiation failed: error parsing regexp: missing closing ): `(`'],
  [
    "duration(dyn(5)) == duration('5s')",
    "program instantiation failed: type conversion error from 'int' to 'google.protobuf.Duration'",
  ],
  ['optional.of(1).?a == optional.of(1)', "1:15: type 'int' does not support field selection"],
  ['dyn == dyn', "1:1: undeclared reference to 'dyn' (in container '')"],
  ["cidr('x').prefixLength() == 1", `${failed}: ${failed}: netip.ParsePrefix("x"): no '/'`],
  ['dyn(null) < dyn(1)', 'no such overload: _<_'],
  ["dyn('a') - dyn(1) == 1", 'no such overload'],
  ["dyn(1) + dyn('a') == 1", 'no such overload'],
  ['dyn(true) + dyn(1) == 1', 'no such overload: _+_'],
  ["dyn(1).split(',') == []", 'no such overload: split(int, string)'],
  ['dyn([1]).asInteger() == 1', 'no such overload: asInteger(list)'],
  ["dyn(1).startsWith('a')", 'no such overload'],
  ['size(dyn(1)) == 1', 'no such overload: size'],
  ["cidr('10.0.0.0/8').containsIP(dyn('x'))", 'no such overload'],
  ['dyn({}).flatten() == []', 'no such overload: map(dyn, dyn).flatten()'],
  ["dyn(semver('1.0.0')) == dyn('a')", 'no such overload'],
  ["semver('1.2.') == semver('1.2.3')", 'strconv.ParseUint: parsing "": invalid syntax'],
  [
    "semver('1.18446744073709551616.0') == semver('1.2.3')",
    'strconv.ParseUint: parsing "18446744073709551616": value out of range',
  ],
  [
    "semver('1.2.3-a.99999999999999999999').major() == 1",
    'strconv.ParseUint: parsing "99999999999999999999": value out of range',
  ],
  ['dyn(1).all(k, v, true)', 'unsupported comprehension range type: types.Int'],
  ["'abc'.charAt(9223372036854775807) == ''", 'index out of range: 9223372036854775807'],
])('%s', (expression, complaint) => {
  expect(complaintOf(expression)).toBe(complaint);
});

test.each([
  "'%s %s'.format(['a', {'b': [1.5, null, 2u]}]) == 'a {\"b\":[1.500000, null, 2]}'",
  "'%f %.0f'.format([1234567.5, 'Infinity']) == '1,234,567.500000 ∞'",
  "'%.2e'.format([1.5]) == '1.500000×10⁰⁰'",
  "'%.200f'.format([0.5]).size() == 202 && '%.200e'.format([0.5]).size() == 200",
  "'%s'.format(dyn(['a', 'b'])) == 'a'",
  'dyn(1).orValue(2) == 1',
  "-dyn(duration('1s')) == duration('-1s')",
  "'abc'.indexOf('c', 9) == -1 && 'abc'.lastIndexOf('c', 9) == -1",
  "timestamp(0).getHours('Local') == 0",
  "semver('18446744073709551615.0.0') == semver('18446744073709551615.0.0+a')",
  "semver('1.0.0-9').compareTo(semver('1.0.0-10')) == -1 && semver('1.0.0-9').isLessThan(semver('1.0.0-a'))",
])('%s holds', (expression) => {
  const compilation = compileCondition(expression, { stored: false });
  if (compilation.outcome === 'failed') throw new Error(compilation.error);
  const within = evaluateWithin({ remaining: 1_000_000 }, compilation.compiled, () => undefined);
  expect(within).toMatchObject({ evaluation: { outcome: 'value', value: true } });
});
