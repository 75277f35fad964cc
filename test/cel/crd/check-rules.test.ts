import { expect, test } from 'vitest';
import { fieldErrorText } from '../../../src/machinery/meta/field-error.ts';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { checkRules } from '../../../src/cel/index.ts';

const path = 'spec.validation.openAPIV3Schema';

const errorsOf = (schema: JsonObject): readonly string[] =>
  checkRules(schema, path, { isStored: () => false }).map(fieldErrorText);

const withSpec = (spec: JsonObject): JsonObject => ({ type: 'object', properties: { spec } });

const text: JsonObject = { type: 'string' };
const listOf = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });
const rules = (...texts: readonly string[]): JsonObject => ({
  'x-kubernetes-validations': texts.map((rule) => ({ rule })),
});

const hint =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
const place = `${path}.properties[spec].x-kubernetes-validations[0]`;
const tooDear = (factor: string): string =>
  `${place}.rule: Forbidden: estimated rule cost exceeds budget by factor of ${factor} ${hint}`;

// Source: recorded conversations crd-definition-cel-cost and crd-definition-bad-cel.
test.each<[fact: string, schema: JsonObject, expected: readonly string[]]>([
  [
    'three nested loops over lists without limits',
    withSpec({
      type: 'object',
      properties: { l: listOf(listOf(listOf(text))) },
      ...rules('self.l.all(a, a.all(b, b.all(c, c.matches("x.*y"))))'),
    }),
    [
      tooDear('more than 100x'),
      `${place}.rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      `${path}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${hint}`,
    ],
  ],
  [
    'a field that is not there',
    withSpec({ type: 'object', ...rules('self.none == 1') }),
    [
      `${place}.rule: Invalid value: {"Rule":"self.none == 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:5: undefined field 'none'\n | self.none == 1\n | ....^`,
    ],
  ],
])('%s', (_fact, schema, expected) => {
  expect(errorsOf(schema)).toEqual(expected);
});

// Source: the largest maxItems that the validator of apiextensions-apiserver 0.36 accepts for this rule.
test.each<[maxLength: number, largestMaxItems: number, factor: string]>([
  [16, 909_090, '1.000000x'],
  [63, 333_333, '1.000002x'],
  [253, 94_339, '1.000004x'],
  [1024, 24_154, '1.000017x'],
])('texts of at most %i characters may stand in a list of %i', (maxLength, largestMaxItems, factor) => {
  const schema = (maxItems: number): JsonObject =>
    withSpec(listOf({ type: 'string', maxLength }, { maxItems, ...rules("self.all(x, x.contains('gpu'))") }));
  expect(errorsOf(schema(largestMaxItems))).toEqual([]);
  expect(errorsOf(schema(largestMaxItems + 1))).toEqual([tooDear(factor)]);
});

const guarded = '!has(self.expect.contains) || !self.message.contains(self.expect.contains)';

const echoes = (message: number, expected: number): JsonObject => {
  const contains = { ...text, maxLength: expected };
  const properties = { message: { ...text, maxLength: message }, expect: { type: 'object', properties: { contains } } };
  return withSpec(listOf({ type: 'object', properties, ...rules(guarded) }, { maxItems: 20 }));
};

// Source: a definition with these limits, written to kube-apiserver 1.36.2.
test.each<[message: number, expected: number, factor: string | undefined]>([
  [4096, 4096, '5.4x'],
  [1024, 1024, undefined],
  [4096, 512, undefined],
  [4096, 128, undefined],
])('twenty messages of %i characters may be searched for texts of %i unless %s', (message, expected, factor) => {
  const complaint = tooDear(String(factor)).replace('[spec].x-', '[spec].items.x-');
  expect(errorsOf(echoes(message, expected))).toEqual(factor === undefined ? [] : [complaint]);
});

const optional: JsonObject = { rule: 'oldSelf.hasValue() || self != ""', optionalOldSelf: true };

// Source: apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go.
test.each<[fact: string, schema: JsonObject, expected: readonly string[]]>([
  ['a limited rule', withSpec({ ...text, maxLength: 10, ...rules('self != ""') }), []],
  [
    'a rule without text',
    withSpec({ ...text, ...rules(' ') }),
    [`${place}.rule: Required value: rule is not specified`],
  ],
  [
    'a rule that is no bool',
    withSpec({ ...text, ...rules('self') }),
    [
      `${place}.rule: Invalid value: {"Rule":"self","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: cel expression must evaluate to a bool`,
    ],
  ],
  [
    'oldSelf in a list whose elements have no counterpart',
    withSpec(listOf({ ...text, maxLength: 9, ...rules('self == oldSelf') }, { maxItems: 3 })),
    [
      `${path}.properties[spec].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${path}.properties[spec]`,
    ],
  ],
  ['an optional oldSelf', withSpec({ ...text, 'x-kubernetes-validations': [optional] }), []],
  [
    'an optional oldSelf that is not used',
    withSpec({ ...text, 'x-kubernetes-validations': [{ ...optional, rule: 'self != ""' }] }),
    [`${place}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`],
  ],
  [
    'a messageExpression that is no text',
    withSpec({ type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1', messageExpression: 'self' }] }),
    [
      `${place}.messageExpression: Invalid value: {"Rule":"self \\u003e 1","Message":"","MessageExpression":"self","Reason":null,"FieldPath":"","OptionalOldSelf":null}: messageExpression must evaluate to a string`,
    ],
  ],
])('%s', (_fact, schema, expected) => {
  expect(errorsOf(schema)).toEqual(expected);
});
