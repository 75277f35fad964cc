import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/machinery/json/json.ts';
import { complaints, updateComplaints, widgets } from './custom-object.ts';

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const text: JsonObject = { type: 'string' };
const integer: JsonObject = { type: 'integer' };
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'array', items, ...more });

// Source: recorded conversations crd-valid-*, crd-scale-wrong-types-stored, and refusals of published definitions.
test.each<[fact: string, spec: JsonObject, sent: JsonObject, expected: readonly string[]]>([
  [
    'a type',
    object({ a: text }),
    { a: 1 },
    ['spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"'],
  ],
  [
    'a number with a fraction is no integer',
    object({ i: integer }),
    { i: 5.5 },
    [
      'spec.i: Invalid value: "number": spec.i in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.i',
    ],
  ],
  [
    'int32',
    object({ i: { ...integer, format: 'int32' } }),
    { i: 3_000_000_000 },
    ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.i'],
  ],
  ['required', object({ a: text }, { required: ['a'] }), {}, ['spec.a: Required value']],
  [
    'a wrong type that is not in the enum either',
    object({ a: { ...text, enum: ['a', 'b'] } }),
    { a: 1 },
    [
      'spec.a: Invalid value: "integer": spec.a in body must be of type string: "integer"',
      'spec.a: Unsupported value: 1: supported values: "a", "b"',
    ],
  ],
  [
    'null in an enum counts for nothing',
    object({ o: { ...text, nullable: true, enum: ['x', null] } }),
    { o: null },
    ['spec.o: Unsupported value: null: supported values: "x", "null"'],
  ],
  [
    'bounds below zero, which nothing can keep',
    object({ a: { ...text, maxLength: -1 }, l: { type: 'array', items: text, maxItems: -1 } }),
    { a: '', l: [] },
    ['spec.a: Too long: value is too long', 'spec.l: Too many: 0: has too many items'],
  ],
  [
    'length in characters',
    object({ a: { ...text, maxLength: 1 } }),
    { a: 'ää' },
    ['spec.a: Too long: may not be more than 1 byte'],
  ],
  ['an emoji is one character', object({ a: { ...text, maxLength: 1 } }), { a: '😀' }, []],
  [
    'too short',
    object({ a: { ...text, minLength: 1 } }),
    { a: '' },
    ['spec.a: Invalid value: "": spec.a in body should be at least 1 chars long'],
  ],
  [
    'pattern',
    object({ a: { ...text, pattern: '^([0-9]+(ms|s))+$' } }),
    { a: '1h' },
    [`spec.a: Invalid value: "1h": spec.a in body should match '^([0-9]+(ms|s))+$'`],
  ],
  [
    'format',
    object({ a: { ...text, format: 'date-time' } }),
    { a: '2024-01-02' },
    ['spec.a: Invalid value: "2024-01-02": spec.a in body must be of type date-time: "2024-01-02"'],
  ],
  ['an unknown format', object({ a: { ...text, format: 'shoe-size' } }), { a: 'any' }, []],
  [
    'minimum and maximum',
    object({ a: { ...integer, minimum: 1 }, b: { ...integer, maximum: 3, exclusiveMaximum: true } }),
    { a: 0, b: 3 },
    [
      'spec.a: Invalid value: 0: spec.a in body should be greater than or equal to 1',
      'spec.b: Invalid value: 3: spec.b in body should be less than 3',
    ],
  ],
  [
    'multipleOf',
    object({ a: { ...integer, multipleOf: 5 } }),
    { a: 7 },
    ['spec.a: Invalid value: 7: spec.a in body should be a multiple of 5'],
  ],
  [
    'multipleOf less than one',
    object({ a: { type: 'number', multipleOf: 0.5 } }),
    { a: 7 },
    ['spec.a: Invalid value: 0: factor MultipleOf declared for spec.a must be positive: 0'],
  ],
  [
    'a maximum that is no int64 becomes the smallest one',
    object({ a: { type: 'number', maximum: 1e308 } }),
    { a: 7 },
    ['spec.a: Invalid value: 7: spec.a in body should be less than or equal to -9223372036854775808'],
  ],
  [
    'fractions are compared as doubles',
    object({ a: { type: 'number', minimum: 2e6 } }),
    { a: 1_000_000.5 },
    ['spec.a: Invalid value: 1.0000005e+06: spec.a in body should be greater than or equal to 2e+06'],
  ],
  ['an integer beyond JavaScript’s', object({ i: integer }), { i: 9_007_199_254_740_992 }, []],
  [
    'items',
    object({ l: list(text, { minItems: 2, maxItems: 1 }) }),
    { l: [1, null] },
    [
      'spec.l[0]: Invalid value: "integer": spec.l[0] in body must be of type string: "integer"',
      'spec.l[1]: Invalid value: "null": spec.l[1] in body must be of type string: "null"',
      'spec.l: Too many: 2: must have at most 1 item',
    ],
  ],
  [
    'properties of a map',
    object({ m: { type: 'object', additionalProperties: integer, maxProperties: 1 } }),
    { m: { a: 1, b: 'x' } },
    [
      'spec.m: Too many: 2: must have at most 1 item',
      'spec.m.b: Invalid value: "string": spec.m.b in body must be of type integer: "string"',
    ],
  ],
  [
    'oneOf: the branch with the most passed checks is reported',
    object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    {},
    [
      '<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found none valid',
      'spec.a: Required value',
    ],
  ],
  [
    'oneOf: two',
    object({ a: text, b: text }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { a: 'x', b: 'x' },
    ['<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
  ],
  [
    'not',
    object({ a: text }, { not: { required: ['a'] } }),
    { a: 'x' },
    ['<nil>: Invalid value: "": "spec" must not validate the schema (not)'],
  ],
  [
    'allOf',
    object({ a: integer }, { allOf: [{ properties: { a: { minimum: 2 } } }] }),
    { a: 1 },
    [
      'spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 2',
      '<nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ],
  ],
  [
    'an int or string',
    object({ a: { 'x-kubernetes-int-or-string': true } }),
    { a: true },
    ['spec.a: Invalid value: "boolean": spec.a in body must be of type integer,string: "boolean"'],
  ],
  [
    'a set',
    object({ l: list(text, { 'x-kubernetes-list-type': 'set' }) }),
    { l: ['a', 'b', 'a', 'a'] },
    ['spec.l[2]: Duplicate value: "a"'],
  ],
  [
    'a list that is a map',
    object({ l: list(object({ k: text }), { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }) }),
    { l: [{ k: 'a' }, { k: 'a' }] },
    ['spec.l[1]: Duplicate value: {"k":"a"}'],
  ],
  [
    'an embedded object',
    object({ e: object({}, { 'x-kubernetes-embedded-resource': true }) }),
    { e: { kind: 'A_b' } },
    [
      'spec.e.apiVersion: Required value',
      `spec.e.kind: Invalid value: "A_b": may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
    ],
  ],
])('%s', (_fact, spec, sent, expected) => {
  expect(complaints(widgets(spec), sent)).toEqual(expected);
});

// Source: answers of kube-apiserver v1.36.2 in the words of 1.37; apimachinery pkg/apis/meta/v1/validation/validation.go ValidateManagedFields.
test.each<[sent: JsonObject, expected: readonly string[]]>([
  [{ manager: 'm' }, ['operation: Required value: must not be empty']],
  [{ operation: 'Apply', fieldsType: 'V2' }, ['fieldsType: Invalid value: "V2": must be `FieldsV1`']],
  [
    { operation: 'x', fieldsType: 'y', manager: '\u0001', subresource: 's'.repeat(257) },
    [
      'operation: Unsupported value: "x": supported values: "Apply", "Update"',
      'fieldsType: Invalid value: "y": must be `FieldsV1`',
      String.raw`manager: Invalid value: "\x01": invalid character U+0001 (at position 0)`,
      'subresource: Too long: may not be more than 256 bytes',
    ],
  ],
  [{ operation: 'Update', fieldsType: 'FieldsV1', time: null }, []],
])('a manager %j of an embedded object', (manager, expected) => {
  const e = { apiVersion: 'v1', kind: 'Pod', metadata: { managedFields: [manager] } };
  const spec = object({ e: object({}, { 'x-kubernetes-embedded-resource': true }) });
  const at = 'spec.e.metadata.managedFields[0].';
  expect(complaints(widgets(spec), { e })).toEqual(expected.map((text_) => at + text_));
});

// Source: recorded conversations crd-scale-validates-object and crd-scale-wrong-types-stored.
test.each<[fact: string, sent: JsonObject, expected: readonly string[]]>([
  ['a negative number', { replicas: -1 }, ['.spec.replicas: Invalid value: -1: should be a non-negative integer']],
  [
    'a text',
    { replicas: 'two' },
    ['.spec.replicas: Invalid value: 0: .spec.replicas accessor error: two is of the type string, expected int64'],
  ],
])('%s where scale points to', (_fact, sent, expected) => {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  expect(complaints(widgets(open, {}, { subresources: { scale } }), sent)).toEqual(expected);
});

const rules = (...list_: readonly JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': list_ });
const unchecked =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

// Source: recorded conversations crd-cel-*.
test.each<[fact: string, spec: JsonObject, sent: JsonObject, expected: readonly string[]]>([
  [
    'parents first; scalars are shown',
    object({ a: { ...integer, ...rules({ rule: 'self > 5', message: 'inner' }) } }, rules({ rule: 'self.a > 7' })),
    { a: 1 },
    ['spec: Invalid value: failed rule: self.a > 7', 'spec.a: Invalid value: 1: inner'],
  ],
  [
    'a rule that errs',
    object({ a: integer, b: integer }, rules({ rule: 'self.a / self.b > 0', message: 'shown' })),
    { a: 1, b: 0 },
    ['spec: Invalid value: "object": division by zero evaluating rule: shown'],
  ],
  [
    'reason and fieldPath',
    object({ 'x-y': text }, rules({ rule: 'false', reason: 'FieldValueRequired', message: 'm', fieldPath: "['x-y']" })),
    {},
    ['spec.x-y: Required value: m'],
  ],
  [
    'messageExpression, and message when it says nothing',
    object(
      { a: integer },
      rules(
        { rule: 'self.a > 1', messageExpression: '"got %d".format([self.a])' },
        { rule: 'self.a > 2', messageExpression: '" "', message: 'blank' },
      ),
    ),
    { a: 1 },
    ['spec: Invalid value: got 1', 'spec: Invalid value: blank'],
  ],
  [
    'items and values',
    object({
      l: list({ ...integer, ...rules({ rule: 'self < 10' }) }),
      m: { type: 'object', additionalProperties: { ...integer, ...rules({ rule: 'self < 10' }) } },
    }),
    { l: [1, 20], m: { k: 30 } },
    ['spec.l[1]: Invalid value: 20: failed rule: self < 10', 'spec.m[k]: Invalid value: 30: failed rule: self < 10'],
  ],
  [
    'no rules on what is missing',
    object({ a: { ...integer, ...rules({ rule: 'false' }) } }, { required: ['a'] }),
    {},
    ['spec.a: Required value', unchecked],
  ],
  [
    'a minimum does not stop them',
    object({ a: { ...integer, minimum: 5, ...rules({ rule: 'self != 1' }) } }),
    { a: 1 },
    [
      'spec.a: Invalid value: 1: spec.a in body should be greater than or equal to 5',
      'spec.a: Invalid value: 1: failed rule: self != 1',
    ],
  ],
  [
    'namespace may be written as it is',
    object({ namespace: text }, rules({ rule: 'self.namespace == "a" && self.__namespace__ == "a"' })),
    { namespace: 'a' },
    [],
  ],
])('rules: %s', (_fact, spec, sent, expected) => {
  expect(complaints(widgets(spec), sent)).toEqual(expected);
});

const keyed = list(object({ k: text, v: { ...integer, minimum: 5, ...rules({ rule: 'self != 1' }) } }), {
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['k'],
});

// Source: recorded conversations crd-cel-transition*, crd-cel-optional-old-self and crd-cel-ratchet-*.
test.each<
  [
    fact: string,
    spec: JsonObject,
    before: JsonObject,
    after: JsonObject,
    errors: readonly string[],
    warnings: readonly string[],
  ]
>([
  [
    'a value may not change',
    object({ a: { ...integer, ...rules({ rule: 'self == oldSelf' }) } }),
    { a: 1 },
    { a: 2 },
    ['spec.a: Invalid value: 2: failed rule: self == oldSelf'],
    [],
  ],
  // Source: updates beside kube-apiserver v1.36.2: a null is as good as nothing, and equals another.
  [
    'an object with a null may stay as it is',
    object({
      o: { ...object({ a: integer, n: { type: 'string', nullable: true } }), ...rules({ rule: 'self == oldSelf' }) },
    }),
    { o: { a: 1, n: null } },
    { o: { a: 1, n: null } },
    [],
    [],
  ],
  [
    'a null that becomes a text is a change',
    object({ o: { ...object({ n: { type: 'string', nullable: true } }), ...rules({ rule: 'self == oldSelf' }) } }),
    { o: { n: null } },
    { o: { n: 'x' } },
    ['spec.o: Invalid value: failed rule: self == oldSelf'],
    [],
  ],
  [
    'a new value has nothing to compare with',
    object({ a: { ...integer, ...rules({ rule: 'self == oldSelf' }) } }),
    {},
    { a: 2 },
    [],
    [],
  ],
  [
    'optionalOldSelf',
    object({ a: { ...integer, ...rules({ rule: 'oldSelf.hasValue()', optionalOldSelf: true }) } }),
    {},
    { a: 2 },
    ['spec.a: Invalid value: 2: failed rule: oldSelf.hasValue()'],
    [],
  ],
  [
    'what is as before is forgiven: the schema in silence, rules with a warning',
    object({ a: { ...integer, minimum: 5, ...rules({ rule: 'self > 5' }) }, b: integer }),
    { a: 1, b: 1 },
    { a: 1, b: 2 },
    [],
    ['spec.a: Invalid value: 1: failed rule: self > 5'],
  ],
  [
    'in a list that is a map the items with the same keys are compared',
    object({ l: keyed }),
    {
      l: [
        { k: 'a', v: 1 },
        { k: 'b', v: 9 },
      ],
    },
    {
      l: [
        { k: 'c', v: 1 },
        { k: 'a', v: 1 },
      ],
    },
    [
      'spec.l[0].v: Invalid value: 1: spec.l[0].v in body should be greater than or equal to 5',
      'spec.l[0].v: Invalid value: 1: failed rule: self != 1',
    ],
    ['spec.l[1].v: Invalid value: 1: failed rule: self != 1'],
  ],
  [
    'other lists are judged whole',
    object({ l: list({ ...integer, minimum: 5 }) }),
    { l: [1] },
    { l: [1, 6] },
    ['spec.l[0]: Invalid value: 1: spec.l[0] in body should be greater than or equal to 5'],
    [],
  ],
  [
    'a set that had repeated items may keep them',
    object({ l: list(text, { 'x-kubernetes-list-type': 'set' }) }),
    { l: ['a', 'a'] },
    { l: ['a', 'a', 'b', 'b'] },
    [],
    [],
  ],
])('updates: %s', (...row) => {
  const [, spec, before, after, errors, warnings] = row;
  expect(updateComplaints(widgets(spec), before, after)).toEqual({ errors, warnings });
});

// Source: apiextensions-apiserver pkg/apiserver/validation/ratcheting.go SubPropertyValidator; versioning_test.go
// TestInternalVersionIsHandlerVersion of its test/integration.
test('apiVersion and kind are never forgiven', () => {
  const properties = { apiVersion: { ...text, pattern: '^example.com/v2$' }, kind: { ...text, maxLength: 1 } };
  expect(updateComplaints(widgets(object({}), { properties }), { a: 1 }, { a: 1 }).errors).toEqual([
    'apiVersion: Invalid value: "example.com/v1": apiVersion in body should match \'^example.com/v2$\'',
    'kind: Too long: may not be more than 1 byte',
  ]);
});
