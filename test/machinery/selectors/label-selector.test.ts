import { expect, test } from 'vitest';
import {
  parseLabelSelector,
  readLabelSelector,
  selectorSentence,
  selectorText,
} from '../../../src/machinery/selectors/label-selector.ts';
import type { JsonValue } from '../../../src/machinery/json/json.ts';
import type { Labels } from '../../../src/machinery/selectors/label-requirement.ts';

const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

// Source: apimachinery pkg/labels/selector.go and selector_test.go
const matches: readonly [fact: string, selector: string, labels: Labels, matches: boolean][] = [
  ['an empty selector matches everything', '', {}, true],
  ['= wants the value', 'a=b', { a: 'b' }, true],
  ['= fails on another value', 'a=b', { a: 'c' }, false],
  ['= fails on a missing label', 'a=b', {}, false],
  ['== is =', 'a==b', { a: 'b' }, true],
  ['= without a value wants the empty value', 'a=', { a: '' }, true],
  ['!= is true of a missing label', 'a!=b', {}, true],
  ['!= fails on the value', 'a!=b', { a: 'b' }, false],
  ['in wants one of the values', 'x in (1,2)', { x: '2' }, true],
  ['in fails on others', 'x in (1,2)', { x: '3' }, false],
  ['in () wants the empty value', 'x in ()', { x: '' }, true],
  ['in (a,) has the empty value too', 'x in (a,)', { x: '' }, true],
  ['notin is true of a missing label', 'x notin (1,2)', {}, true],
  ['notin fails on one of the values', 'x notin (1,2)', { x: '1' }, false],
  ['a bare key wants the label', 'y', { y: '' }, true],
  ['! wants it missing', '!y', { y: '' }, false],
  ['a label named like an inherited field is missing', 'toString', {}, false],
  ['> compares numbers', 'z>3', { z: '10' }, true],
  ['> fails on equal numbers', 'z>3', { z: '3' }, false],
  ['< compares numbers', 'z<3', { z: '-1' }, true],
  ['> fails on what is no number', 'z>3', { z: 'many' }, false],
  ['> fails on what does not fit in 64 bits', 'z>3', { z: '9223372036854775808' }, false],
  ['all requirements must hold', 'a=b,c!=d,x in (1,2),!y,z>3', { a: 'b', x: '1', z: '4' }, true],
  ['one that does not hold decides', 'a=b,c!=d,x in (1,2),!y,z>3', { a: 'b', x: '1', z: '4', c: 'd' }, false],
  ['white space is free', ' a = b , c in ( d , e ) ', { a: 'b', c: 'e' }, true],
  ['in may be a value', 'a in (in)', { a: 'in' }, true],
  ['in may be a key', 'in=a', { in: 'a' }, true],
];

test.each(matches)('%s', (_fact, selector, labels, expected) => {
  const reading = parseLabelSelector(selector);
  expect(reading.outcome === 'selector' && reading.selector.matches(labels)).toBe(expected);
});

// Source: apimachinery pkg/labels/selector.go
const errors: readonly [selector: string, error: string][] = [
  ['=b', "found '=', expected: !, identifier, or 'end of string'"],
  ['!=b', "found '!=', expected: !, identifier, or 'end of string'"],
  [',a', "found ',', expected: !, identifier, or 'end of string'"],
  ['a,', "found '', expected: identifier after ','"],
  ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  ['!', "unable to parse requirement: found '', expected: identifier"],
  ['!=', "found '!=', expected: !, identifier, or 'end of string'"],
  ['a==!b', "unable to parse requirement: found '!', expected: identifier"],
  ['a===b', "unable to parse requirement: found '=', expected: identifier"],
  ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a in b', "unable to parse requirement: found 'b' expected: '('"],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
  ['!a in (b)', "found 'in', expected: ',' or 'end of string'"],
  ['a b=c', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
  ['a*=b', `unable to parse requirement: <nil>: Invalid value: "a*": name part ${qualified}`],
  ['a=b*', `unable to parse requirement: values[0][a]: Invalid value: "b*": ${labelValue}`],
  [
    'a>b',
    "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
];

test.each(errors)('%s is unparsable', (selector, error) => {
  expect(parseLabelSelector(selector)).toEqual({ outcome: 'unparsable', error });
});

// Source: apimachinery pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector
const objects: readonly [fact: string, selector: JsonValue, labels: Labels, matches: boolean][] = [
  ['null matches nothing', null, { a: 'b' }, false],
  ['{} matches everything', {}, {}, true],
  ['matchLabels want every label', { matchLabels: { a: 'b', c: 'd' } }, { a: 'b' }, false],
  ['In', { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }, { a: 'b' }, true],
  ['NotIn without the label', { matchExpressions: [{ key: 'a', operator: 'NotIn', values: ['b'] }] }, {}, true],
  ['Exists', { matchExpressions: [{ key: 'a', operator: 'Exists' }] }, { a: '' }, true],
  ['DoesNotExist', { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] }, { a: '' }, false],
  ['an unknown operator matches nothing', { matchExpressions: [{ key: 'a', operator: 'Near' }] }, { a: '' }, false],
];

test.each(objects)('a LabelSelector: %s', (_fact, selector, labels, expected) => {
  const reading = readLabelSelector(selector);
  expect(reading.outcome === 'selector' && reading.selector.matches(labels)).toBe(expected);
});

test('an unknown operator is named', () => {
  expect(readLabelSelector({ matchExpressions: [{ key: 'a', operator: 'constructor' }] })).toEqual({
    outcome: 'unparsable',
    error: '"constructor" is not a valid label selector operator',
  });
});

// Ours: how explanations print a selector.
test.each<[selector: string, sentence: string, text: string]>([
  ['team in (red)', 'team In [red]', 'team in (red)'],
  ['x notin (b,a),env=prod', 'env=prod, x NotIn [a, b]', 'env=prod,x notin (a,b)'],
  ['tier,!old,z>3,y<4', 'old DoesNotExist, tier Exists, y Lt 4, z Gt 3', '!old,tier,y<4,z>3'],
])('%s reads as %s', (selector, sentence, text) => {
  const reading = parseLabelSelector(selector);
  const printed =
    reading.outcome === 'selector' ? [selectorSentence(reading.selector), selectorText(reading.selector)] : [];
  expect(printed).toEqual([sentence, text]);
});

test('of many requirements only those are looked at whose labels are there', () => {
  const reading = parseLabelSelector(Array.from({ length: 5_000 }, (_, at) => `k${at}!=v`).join(','));
  let looked = 0;
  const labels: Labels = new Proxy<Labels>(
    { k7: 'w', other: 'v' },
    {
      getOwnPropertyDescriptor: (target, name) => {
        looked += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    },
  );
  expect(reading.outcome === 'selector' && reading.selector.matches(labels)).toBe(true);
  expect(looked).toBeLessThan(10);
});
